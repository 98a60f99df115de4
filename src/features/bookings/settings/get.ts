import type { CallCtx } from "#core/context.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type PageSettings, selectSettings } from "./snapshot.ts";

export function getBookingSettings(ctx: CallCtx): Promise<PageSettings> {
  return readOne(ctx, selectSettings(ctx));
}
