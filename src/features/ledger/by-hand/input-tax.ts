import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { notRegistered } from "#shared/gst/registration.ts";
import { ACCOUNTS, type AccountKey } from "#shared/payments/books.ts";
import { fieldProblem } from "#shared/problem.ts";
import { profile } from "#tables/company";

/** The tax that a supplier charged: by head in India, or one amount. */
type InputTax = { [Name in "cgst" | "sgst" | "igst" | "tax"]?: number | undefined };
type Debits = {
  total: number;
  debits: { key: AccountKey; debit: number }[];
  guards: SQL[];
  refusals: Refusals;
};

/**
 * What input tax debits, and the statement that refuses it to a company that is not registered. Throws 422 for heads that
 * cannot be together. `prefix`: of the names of their fields.
 */
export function inputTax({ company }: ReadCtx, { tax, cgst, sgst, igst }: InputTax, prefix = ""): Debits {
  const refuse = (name: keyof InputTax, code: string, words: string) =>
    fieldProblem(`${prefix}${name}_amount`, code, words);
  const isUnregistered = sql`EXISTS (SELECT 1 FROM ${profile}
    WHERE coalesce(${profile.gstStatus}, 'registered') <> 'registered' OR ${profile.taxRegistered} = 0)`;
  const guard = {
    guards: [refuseWhen(isUnregistered, "gst_not_registered")],
    refusals: { gst_not_registered: () => notRegistered(`${prefix}tax_amount`) },
  };
  const total = (cgst ?? 0) + (sgst ?? 0) + (igst ?? 0);
  if ((cgst ?? sgst ?? igst) === undefined) {
    const one = { total: tax ?? 0, debits: [{ key: ACCOUNTS.inputGst, debit: tax ?? 0 }] };
    // A settlement of before heads were known says no more.
    return { ...one, ...(tax && prefix === "" ? guard : { guards: [], refusals: {} }) };
  }
  if (company.country !== "IN") throw refuse("tax", "required", "is required, in place of India's heads");
  if ((cgst ?? 0) !== (sgst ?? 0))
    throw refuse("sgst", "mismatch", "must equal CGST: both are of the same rate");
  if (igst && cgst) throw refuse("igst", "not_accepted", "does not go with CGST and SGST");
  if (tax !== undefined && tax !== total)
    throw refuse("tax", "mismatch", `must be ${moneyToWire(total)}, the sum of its heads`);
  const debits = [
    { key: ACCOUNTS.inputCgst, debit: cgst ?? 0 },
    { key: ACCOUNTS.inputSgst, debit: sgst ?? 0 },
    { key: ACCOUNTS.inputIgst, debit: igst ?? 0 },
  ];
  return { total, debits, ...guard };
}
