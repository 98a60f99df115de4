import { eq } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import type { RecordParams } from "#shared/fields/ids.ts";

import { type ProductRow, selectProducts } from "./snapshot.ts";
import { products } from "./tables.ts";

export async function getProduct(ctx: CallCtx, { id }: RecordParams): Promise<ProductRow> {
  return readOne(ctx, selectById({ id }));
}

const selectById = keptStatement(({ id }: Given<{ id: number }>) => selectProducts(eq(products.id, id)));
