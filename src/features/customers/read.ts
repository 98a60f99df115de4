import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { ofCustomer, withCaptures } from "#features/captures";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page } from "#shared/page.ts";
import { customers } from "#tables/customers";
import type { CustomerRow } from "./record.ts";
import type { CustomerQuery } from "./schema.ts";
import { selectCustomer, selectCustomers } from "./snapshot.ts";

/** Live customers, newest first. */
export function listCustomers(
  ctx: CallCtx,
  _params: unknown,
  { q, page }: CustomerQuery & { page: Page },
): Promise<Listed<CustomerRow>> {
  return readList(ctx, page, selectCustomers(page, q));
}

export function getCustomer(ctx: CallCtx, { id }: RecordParams): Promise<CustomerRow> {
  return readOne(ctx, withCaptures(selectById({ id }), ofCustomer(id)));
}

const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectCustomer(eq(customers.id, id)));
