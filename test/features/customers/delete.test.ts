import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import {
  debtorAccounts,
  deleteCustomer,
  getCustomer,
  newCustomer,
  newInvoice,
  patchCustomer,
  postInvoice,
  search,
} from "../commerce.ts";
import { voidInvoice } from "../money.ts";
import { expectRefused, refusal } from "../refusal.ts";

const company = await openSound({ state: "Karnataka" });

test("a deleted customer is gone for the API and kept in the database", async () => {
  const { id } = await newCustomer(company, { name: "Short stay" });
  expect(must(await deleteCustomer(company, id), 200).body.data).toMatchObject({ id, deleted: true });
  expect(await getCustomer(company, id)).toMatchObject(refusal(404, "not_found"));
  expect(await deleteCustomer(company, id)).toMatchObject(refusal(404, "not_found"));
  expect(await patchCustomer(company, id, { name: "Back" })).toMatchObject({ status: 404 });
  expect(
    await company.rows("SELECT name, deleted_at > 0 AS deleted FROM customers WHERE id = ?", id),
  ).toEqual([{ name: "Short stay", deleted: 1 }]);
});

test("no invoice can be issued to a deleted customer", async () => {
  const { id } = await newCustomer(company);
  await deleteCustomer(company, id);
  const answer = await postInvoice(company, id);
  expect(answer).toMatchObject(refusal(422, "validation_failed"));
  expectRefused(answer, { customer_id: "not_found" });
});

const blockedBy = (...blocked_by: string[]) => refusal(409, "customer_has_dependents", { blocked_by });

describe("a customer with dependents stays", () => {
  test("an invoice and its journal entry block, and are named", async () => {
    const { id } = await newCustomer(company);
    await newInvoice(company, id);
    const answer = await deleteCustomer(company, id);
    expect(answer).toMatchObject(blockedBy("invoices", "ledger"));
    expect(answer.body.message).toContain("invoices and ledger");
    expect(await getCustomer(company, id)).toMatchObject({ status: 200 });
    expect(await debtorAccounts(company, id)).toMatchObject([{ removed: 0, is_active: 1 }]);
  });

  const invoiced = (id: string, fields: Record<string, unknown> = {}) => newInvoice(company, id, fields);

  test.each<[string, string, (id: string) => Promise<unknown>]>([
    ["an invoice without an entry", "invoices", (id) => invoiced(id, { invoice_date: "2001-01-01" })],
    ["a voided invoice", "invoices", async (id) => voidInvoice(company, (await invoiced(id)).id)],
  ])("%s blocks alone", async (_what, named, leave) => {
    const { id } = await newCustomer(company);
    await leave(id);
    expect(await deleteCustomer(company, id)).toMatchObject(blockedBy(named));
    expect(await getCustomer(company, id)).toMatchObject({ status: 200 });
  });
});

describe("a customer who is a vendor too", () => {
  test("loses only the customer's side: its record and its data stay", async () => {
    const { id } = await newCustomer(company, { name: "Both sides", notes: "Supplies bottles" });
    await makeVendor(company, id);
    expect((await getCustomer(company, id)).body.data.is_vendor).toBe(true);
    expect(must(await deleteCustomer(company, id), 200).body.data).toMatchObject({ id, deleted: true });
    expect(await getCustomer(company, id)).toMatchObject({ status: 404 });
    expect(await deleteCustomer(company, id)).toMatchObject({ status: 404 });
    expect(await search(company, "Both sides")).toEqual([]);
    expect(
      await company.rows(
        "SELECT name, notes, is_customer, is_vendor, deleted_at FROM customers WHERE id = ?",
        id,
      ),
    ).toEqual([
      { name: "Both sides", notes: "Supplies bottles", is_customer: 0, is_vendor: 1, deleted_at: null },
    ]);
    expect(await debtorAccounts(company, id)).toMatchObject([{ removed: 1 }]);
  });

  test("stays a customer too while an invoice refers to it", async () => {
    const { id } = await newCustomer(company);
    await makeVendor(company, id);
    await newInvoice(company, id);
    expect(await deleteCustomer(company, id)).toMatchObject({ status: 409 });
    expect(await getCustomer(company, id)).toMatchObject({ status: 200 });
  });
});

test("a customer's row cannot be deleted from the database", async () => {
  const { id } = await newCustomer(company);
  await expect(company.rows("DELETE FROM customers WHERE id = ?", id)).rejects.toThrow(
    "customer_has_dependents",
  );
});

async function makeVendor(company: TestCompany, id: string): Promise<void> {
  const body = { is_vendor: true };
  must(await company.call("PATCH", `/settings/:company/customers/${id}`, { body }), 200);
}
