import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { CustomerRow } from "./record.ts";
import { selectCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

export async function getCustomer(ctx: CallCtx, { id }: RecordParams): Promise<CustomerRow> {
  return readOne(ctx, selectById({ id }));
}

const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectCustomer(eq(customers.id, id)));
