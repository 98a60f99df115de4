import type { Ctx } from "#core/context.ts";
import { createOrChange } from "#core/write/create-or-change.ts";
import { changeableOf } from "#shared/fields/patch.ts";
import { createProduct } from "./create.ts";
import type { ProductRow } from "./record.ts";
import { type ProductCreate, ProductFields } from "./schema.ts";
import { updateProduct } from "./update.ts";

/** Creates the product with the caller's own id, or changes the fields sent of the one that has it. */
export function createOrChangeProduct(ctx: Ctx, params: unknown, body: ProductCreate): Promise<ProductRow> {
  return createOrChange(
    ctx,
    () => createProduct(ctx, params, body),
    (later, id) => updateProduct(later, { id }, changeableOf(ProductFields, body)),
  );
}
