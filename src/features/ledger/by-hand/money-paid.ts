import * as z from "zod";
import type { WriteCtx } from "#core/context.ts";
import { idReference } from "#shared/fields/ids.ts";
import { money } from "#shared/fields/numbers.ts";
import { cleanText } from "#shared/fields/text.ts";
import { requireGstin } from "#shared/gst/registration.ts";
import { fieldProblem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { inputTax } from "./input-tax.ts";
import { paid, reference } from "./journal-entries.ts";
import { type EntryRow, writeEntry } from "./write-entry.ts";

const ofMoney = idReference.meta({ description: "Cash, or an account of a bank or a gateway." });
const payment = z.object({
  paid_on: isoDate.meta({ description: "Not after today." }),
  from_account_id: ofMoney,
  amount: paid,
  reference_number: reference,
});

export const TransferBody = payment
  .extend({ to_account_id: ofMoney })
  .refine((body) => body.from_account_id !== body.to_account_id, {
    path: ["to_account_id"],
    params: { code: "not_accepted" },
    error: "must be another account",
  });

/** Moves money between two accounts of the company. */
export function createTransfer(
  ctx: WriteCtx,
  _params: unknown,
  { amount, ...body }: z.infer<typeof TransferBody>,
): Promise<EntryRow> {
  return writeEntry(ctx, {
    kind: "transfer",
    day: { date: body.paid_on, field: "paid_on" },
    narration: "Transfer between own accounts",
    referenceNumber: body.reference_number,
    lines: [
      { field: "to_account_id", id: body.to_account_id, mustBe: "money", debit: amount },
      { field: "from_account_id", id: body.from_account_id, mustBe: "money", credit: amount },
    ],
  });
}

const head = money().optional().meta({ description: "In India: input tax by head." });
export const ExpenseBody = payment.extend({
  expense_account_id: idReference.meta({ description: "An account of the type `expense`." }),
  amount: paid.meta({ description: "Without the input tax." }),
  cgst_amount: head,
  sgst_amount: head,
  igst_amount: head,
  tax_amount: money()
    .optional()
    .meta({ description: "Outside India: the input tax. In India the sum of its heads." }),
  supplier_name: cleanText({ min: 1, max: 255 }).optional(),
  supplier_gstin: z.string().max(20).optional(),
});

/** Records an expense that was paid, with the tax that its supplier charged. */
export async function createExpense(
  ctx: WriteCtx,
  _params: unknown,
  { amount, ...body }: z.infer<typeof ExpenseBody>,
): Promise<EntryRow> {
  const { cgst_amount: cgst, sgst_amount: sgst, igst_amount: igst, tax_amount: tax } = body;
  if (ctx.company.country === "IN" && tax && (cgst ?? sgst ?? igst) === undefined)
    throw fieldProblem(
      "tax_amount",
      "not_accepted",
      "is sent by its heads in India: cgst_amount and sgst_amount, or igst_amount",
    );
  const { total, debits, ...held } = inputTax(ctx, { cgst, sgst, igst, tax });
  const { supplier_name: supplierName } = body;
  return writeEntry(ctx, {
    kind: "expense",
    day: { date: body.paid_on, field: "paid_on" },
    narration: supplierName === undefined ? "Expense" : `Expense: ${supplierName}`,
    referenceNumber: body.reference_number,
    supplierName,
    supplierGstin: requireGstin(body.supplier_gstin, "supplier_gstin")?.gstin,
    lines: [
      { field: "expense_account_id", id: body.expense_account_id, mustBe: "expense", debit: amount },
      ...debits.map((line) => ({ field: "tax_amount", ...line })),
      { field: "from_account_id", id: body.from_account_id, mustBe: "money", credit: amount + total },
    ],
    ...held,
  });
}
