import type { CallCtx } from "#platform/context.ts";
import { readOne } from "#platform/sql/read-records.ts";
import { type PageSettings, selectSettings } from "./snapshot.ts";

export function getBookingSettings(ctx: CallCtx): Promise<PageSettings> {
  return readOne(ctx, selectSettings(ctx));
}
