import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { deleteCustomer, getCustomer, newCustomer, patchCustomer, postInvoice } from "../commerce.ts";

const ROUNDS = 20;

test("a delete and an invoice at the same time never leave an invoice on a deleted customer", async () => {
  const company = await openCompany({ state: "Karnataka" });
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await newCustomer(company);
    const invoice = () => postInvoice(company, id);
    const removal = () => deleteCustomer(company, id);
    // Either may come first by a hair; the order in which they are sent alternates.
    const calls = round % 2 === 0 ? [invoice, removal] : [removal, invoice];
    const answers = await Promise.all(calls.map((call) => call()));
    const [issued, removed] = round % 2 === 0 ? answers : answers.toReversed();
    const exists = (await getCustomer(company, id)).status === 200;
    if (issued?.status === 201) {
      expect([removed?.status, removed?.body.code, exists]).toEqual([409, "customer_has_dependents", true]);
    } else {
      expect([issued?.status, issued?.body.code]).toEqual([422, "validation_failed"]);
      expect([removed?.status, exists]).toEqual([200, false]);
    }
  }
  const orphans =
    await company.rows(`SELECT invoices.id FROM invoices JOIN customers ON customers.id = customer_id
      WHERE customers.deleted_at IS NOT NULL OR is_customer = 0`);
  expect(orphans).toEqual([]);
  await expectSound(company);
});

test("of deletes at the same time one succeeds and the others find nothing", async () => {
  const company = await openCompany({ state: "Karnataka" });
  const { id } = await newCustomer(company);
  const answers = await Promise.all(Array.from({ length: 6 }, () => deleteCustomer(company, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  await expectSound(company);
});

test("a delete and renames at the same time leave no account behind", async () => {
  const company = await openCompany({ state: "Karnataka" });
  for (let round = 0; round < 5; round += 1) {
    const { id } = await newCustomer(company);
    const answers = await Promise.all([
      patchCustomer(company, id, { name: `Renamed ${round}` }),
      deleteCustomer(company, id),
      patchCustomer(company, id, { name: `Renamed again ${round}` }),
    ]);
    expect(answers[1]?.status).toBe(200);
    expect([200, 404]).toContain(answers[0]?.status);
    expect(await getCustomer(company, id)).toMatchObject({ status: 404 });
  }
  await expectSound(company);
});
