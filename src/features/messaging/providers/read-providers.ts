import { eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { type ProviderRow, selectProviders } from "./snapshot.ts";
import { messagingProviders as providers } from "./tables.ts";

/** Providers, newest first. */
export async function listProviders(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<ProviderRow>> {
  const tail = sql`${providers.id} < ${idBelow(page)} ORDER BY ${providers.id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectProviders(tail));
}

export async function getProvider(ctx: CallCtx, { id }: RecordParams): Promise<ProviderRow> {
  return readOne(ctx, selectProviders(eq(providers.id, id)));
}
