import type { WriteCtx } from "#core/context.ts";
import { createOrChange } from "#core/write/create-or-change.ts";
import { createCustomer } from "./create.ts";
import type { CustomerRow } from "./record.ts";
import type { CustomerCreate } from "./schema.ts";
import { updateCustomer } from "./update.ts";

/** Creates the customer with the caller's own id, or changes the fields sent of the one that has it. */
export function createOrChangeCustomer(
  ctx: WriteCtx,
  params: unknown,
  body: CustomerCreate,
): Promise<CustomerRow> {
  return createOrChange(
    ctx,
    () => createCustomer(ctx, params, body),
    (later, id) => updateCustomer(later, { id }, body),
  );
}
