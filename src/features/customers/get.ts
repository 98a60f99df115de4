import { eq } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { type Given, keptStatement } from "#platform/sql/kept-statements.ts";
import { readOne } from "#platform/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";

import { type CustomerRow, selectCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

export async function getCustomer(ctx: CallCtx, { id }: RecordParams): Promise<CustomerRow> {
  return readOne(ctx, selectById({ id }));
}

const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectCustomer(eq(customers.id, id)));
