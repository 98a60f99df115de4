import { expect, test } from "vitest";
import { must, type TestCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { REGISTERED } from "../../commerce.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { linesIn, openBooks, TODAY, write } from "./books.ts";

const india = await openBooks();
type Books = { company: TestCompany; idOf: Record<string, string> };

function spend(fields: object, { company, idOf }: Books = india) {
  const accounts = { expense_account_id: idOf.Rent, from_account_id: idOf.Bank };
  return write(company, "expenses", { paid_on: TODAY, ...accounts, amount: 1000, ...fields });
}

test("an expense debits the account of each head of its tax, and keeps its supplier", async () => {
  const supplier = { supplier_name: "Nandi Estates", supplier_gstin: REGISTERED.gstin };
  const within = await spend({ cgst_amount: 90, sgst_amount: 90, ...supplier, reference_number: "B-1" });
  expect(linesIn(within)).toEqual([
    "Rent Dr 1000 Cr 0",
    "Input CGST Dr 90 Cr 0",
    "Input SGST Dr 90 Cr 0",
    "Bank Dr 0 Cr 1180",
  ]);
  expect(within.body.data).toMatchObject({ voucher_type: "expense", ...supplier, reference_number: "B-1" });
  expect(linesIn(await spend({ igst_amount: 180 }))).toContain("Input IGST Dr 180 Cr 0");
  expect(linesIn(await spend({}))).toEqual(["Rent Dr 1000 Cr 0", "Bank Dr 0 Cr 1000"]);
  expectRefused(await spend({ igst_amount: 1, cgst_amount: 1, sgst_amount: 1 }), {
    igst_amount: "not_accepted",
  });
  expectRefused(await spend({ cgst_amount: 1, sgst_amount: 1, tax_amount: 1 }), { tax_amount: "mismatch" });
  for (const half of [{ cgst_amount: 9 }, { cgst_amount: 9, sgst_amount: 1 }])
    expectRefused(await spend(half), { sgst_amount: "mismatch" });
  expectRefused(await spend({ tax_amount: 180 }), { tax_amount: "not_accepted" });
  expectRefused(await spend({ expense_account_id: india.idOf.Bank }), { expense_account_id: "not_found" });
  await expectSound(india.company);
});

test("a company that is not registered has no input tax", async () => {
  const { company, idOf } = await openBooks({ state: "Karnataka" });
  await company.change("/settings/:company/profile", { gst_status: "unregistered" });
  const answer = await spend({ cgst_amount: 90, sgst_amount: 90 }, { company, idOf });
  expect(answer).toMatchObject(refusal(422, "gst_not_registered"));
  must(await spend({}, { company, idOf }), 201);
});

test("outside India an expense has one head, which bears the tax's label", async () => {
  const sydney = await openBooks({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
  const says = { tax_registered: true, tax_label: "GST", tax_number: "1", tax_number_label: "ABN" };
  await sydney.company.change("/settings/:company/profile", says);
  expect(linesIn(await spend({ tax_amount: 100 }, sydney))).toEqual([
    "Rent Dr 1000 Cr 0",
    "Input GST Dr 100 Cr 0",
    "Bank Dr 0 Cr 1100",
  ]);
  expectRefused(await spend({ igst_amount: 100 }, sydney), { tax_amount: "required" });
  await expectSound(sydney.company);
});

test("a transfer moves money between two own accounts of money, and no others", async () => {
  const { company, idOf } = india;
  const move = (fields: object) => {
    const accounts = { from_account_id: idOf.Cash, to_account_id: idOf.Bank };
    return write(company, "transfers", { paid_on: TODAY, ...accounts, amount: 50, ...fields });
  };
  expect(linesIn(await move({ reference_number: "D-1" }))).toEqual(["Bank Dr 50 Cr 0", "Cash Dr 0 Cr 50"]);
  expectRefused(await move({ to_account_id: idOf.Cash }), { to_account_id: "not_accepted" });
  for (const name of ["Rent", "TDS Receivable", "Sundry Debtors"])
    expectRefused(await move({ to_account_id: idOf[name] }), { to_account_id: "not_found" });
  await expectSound(company);
});
