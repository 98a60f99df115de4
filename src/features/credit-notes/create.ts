import type { Ctx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { insertCreditNote, issuedBy } from "./issue.ts";
import { creditNoteQueries, creditNoteRefusals, foundFor, planCreditNote } from "./plan.ts";
import { type IssuedRow, selectIssued } from "./record.ts";
import type { CreditNoteCreate } from "./schema.ts";

/** Credits lines of an invoice by quantity or amount, or all that is left; the database judges what is left. */
export async function createCreditNote(
  ctx: Ctx,
  { id }: RecordParams,
  { items, ...body }: CreditNoteCreate,
): Promise<IssuedRow> {
  const found = foundFor(await read(ctx, creditNoteQueries(id)));
  const asked = items?.map(({ invoice_item_id: line, quantity, taxable_amount: taxable }) => ({
    ...{ id: line, quantity, taxable },
  }));
  const wanted = asked === undefined ? body : { ...body, items: asked };
  const note = planCreditNote(ctx, found, wanted, "invoice_item_id");
  return atomic(ctx, insertCreditNote(ctx, note), selectIssued(issuedBy(ctx)), creditNoteRefusals(ctx, note));
}
