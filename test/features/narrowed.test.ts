import { expect, test } from "vitest";
import { currentTexts } from "#tenancy/migrations/migrated-database.ts";
import { openCompany, type TestCompany } from "../support/company.ts";
import {
  type CustomerRecord,
  deleteCustomer,
  newCustomer,
  newInvoice,
  patchCustomer,
  REGISTERED,
} from "./commerce.ts";
import { captured, LEADS } from "./leads/leads.ts";
import { BANK, CASH, newPayment, today } from "./money.ts";
import { idsByChange, idsOf } from "./narrowed.ts";
import { expectRefused } from "./refusal.ts";

const CUSTOMERS = "/customers/:company";
const HOUR = 3_600;
const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

async function openWith(count: number) {
  const company = await openCompany(REGISTERED);
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) ids.push((await newCustomer(company, { name: `Customer ${n}` })).id);
  return { company, ids };
}

const newLead = async (company: TestCompany, n: number) =>
  String((await captured(company, { email: `lead-${n}@mail.example` })).id);

test("a record that changes while it is paged comes again later, never not at all", async () => {
  const { company, ids } = await openWith(5);
  const [one, two, three, four, five] = ids as [string, string, string, string, string];
  const seen = await idsByChange(company, CUSTOMERS, { limit: "2" }, async () => {
    await patchCustomer(company, four, { notes: "First" });
    await patchCustomer(company, one, { notes: "Second" });
    await deleteCustomer(company, three);
  });
  expect(seen).toEqual([one, two, five, four, one]);
});

test("the order is that of commits, also where the clock of a Worker is behind", async () => {
  const { company, ids } = await openWith(3);
  const [one, two, three] = ids as [string, string, string];
  await company.clock(-HOUR);
  await patchCustomer(company, one, { notes: "An hour ago" });
  await company.clock(0);
  await patchCustomer(company, two, { notes: "Now" });
  expect(await idsByChange(company, CUSTOMERS)).toEqual([three, one, two]);
  // By `updated_at`, as the record shows it.
  expect(await idsOf(company, CUSTOMERS, { updated_since: at(-HOUR / 2) })).toEqual([three, two]);
});

test("a change that failed gives no place, nor does one that another rule undoes", async () => {
  const { company, ids } = await openWith(2);
  expect((await patchCustomer(company, ids[0] ?? "", { state: "Atlantis" })).status).toBe(422);
  expect(await idsByChange(company, CUSTOMERS)).toEqual(ids);
});

test("created_from and created_to take days of the company, and times", async () => {
  const { company, ids } = await openWith(2);
  await company.clock(-48 * HOUR);
  const { id: earlier } = await newCustomer(company, { name: "Earlier" });
  await company.clock(0);
  const [day] = [today()];
  expect(await idsOf(company, CUSTOMERS, { created_from: day, limit: "1" })).toEqual(ids.toReversed());
  expect(await idsOf(company, CUSTOMERS, { created_from: day, q: "Customer" })).toEqual(ids.toReversed());
  expect(await idsOf(company, CUSTOMERS, { created_to: at(-HOUR) })).toEqual([earlier]);
  expect(await idsByChange(company, CUSTOMERS, { created_to: at(-HOUR) })).toEqual([earlier]);
  const reversed = await company.call("GET", `${CUSTOMERS}?created_from=2026-02-02&created_to=2026-02-01`);
  expectRefused(reversed, { created_to: "too_small" });
  const word = await company.call("GET", `${CUSTOMERS}?created_from=friday`);
  expect(word.body.errors).toMatchObject([{ field: "created_from", code: "invalid_date" }]);
});

test("invoices are narrowed by number, by their date and by when they are due", async () => {
  const { company, ids } = await openWith(1);
  const dates = [
    ["2026-04-10", "2026-05-10"],
    ["2026-04-20", "2026-04-25"],
    ["2026-04-15", "2026-06-15"],
  ];
  const made = [];
  for (const [invoice_date, due_date] of dates)
    made.push(await newInvoice(company, ids[0], { invoice_date, due_date }));
  const [first, second, third] = made.map(({ id }) => id);
  const list = (query: Record<string, string>) =>
    idsOf(company, "/invoices/:company", { limit: "1", ...query });
  expect(await list({ number: made[1]?.invoice_number ?? "" })).toEqual([second]);
  expect(await list({ invoice_date_from: "2026-04-15" })).toEqual([second, third]);
  expect(await list({ invoice_date_to: "2026-04-15" })).toEqual([third, first]);
  expect(await list({ invoice_date_from: "2026-04-11", invoice_date_to: "2026-04-19" })).toEqual([third]);
  expect(await list({ due_before: "2026-06-15" })).toEqual([first, second]);
  expect(await list({ due_before: "2026-06-15", invoice_date_from: "2026-04-15" })).toEqual([second]);
  expect(await list({ due_before: "2026-06-15", sort: "updated" })).toEqual([first, second]);
  await company.rows("UPDATE sqlite_sequence SET seq = 300 WHERE name = 'invoices'");
  const later = [(await newInvoice(company, ids[0])).id, (await newInvoice(company, ids[0])).id];
  expect(await list({ sort: "updated" })).toEqual([first, second, third, ...later]);
});

test("payments are narrowed by number, mode and date", async () => {
  const { company, ids } = await openWith(1);
  const { id: invoice } = await newInvoice(company, ids[0], { invoice_date: "2026-04-01" });
  const payment = (payment_date: string, payment_mode_id: number) =>
    newPayment(company, { invoice_id: invoice, amount: 10, payment_date, payment_mode_id });
  const [one, two] = [await payment("2026-04-20", CASH), await payment("2026-04-10", BANK)];
  const list = (query: Record<string, string>) =>
    idsOf(company, "/payments/:company", { limit: "1", ...query });
  expect(await list({ number: one.payment_number })).toEqual([one.id]);
  expect(await list({ payment_mode_id: String(BANK) })).toEqual([two.id]);
  expect(await list({ payment_date_from: "2026-04-01" })).toEqual([one.id, two.id]);
  expect(await list({ payment_date_to: "2026-04-10" })).toEqual([two.id]);
});

test("no number comes twice, also where the newest record is erased and a clock is behind", async () => {
  const { company } = await openWith(0);
  const [one, two] = [await newLead(company, 1), await newLead(company, 2)];
  const numbers = () =>
    company.rows(
      "SELECT number, record_id AS id FROM record_changes WHERE resource = 'lead' ORDER BY number",
    );
  const before = await numbers();
  expect(before.map(({ id }) => id)).toEqual([one, two]);
  await company.rows("DELETE FROM lead_submissions");
  await company.rows("DELETE FROM leads");
  expect(await numbers()).toEqual(before.slice(1));
  await company.clock(-HOUR);
  const three = await newLead(company, 3);
  const after = await numbers();
  expect(after.at(-1)?.id).toBe(three);
  expect(Number(after.at(-1)?.number)).toBeGreaterThan(Number(before.at(-1)?.number));
  expect(await idsByChange(company, LEADS)).toEqual([three]);
});

test("records that are older than the table of changes get their numbers in the order of updated_at", async () => {
  const { company, ids } = await openWith(4);
  const [one, two, three, four] = ids as [string, string, string, string];
  await company.rows("UPDATE customers SET updated_at = updated_at - 5000 WHERE id IN (?, ?)", two, four);
  const made = currentTexts("company").find(({ name }) => name === "29_list_orders");
  await company.rows("DELETE FROM record_changes");
  await company.rows(/^INSERT INTO record_changes [^;]*;/m.exec(made?.sql ?? "")?.[0] ?? "");
  const listed = await company.read<CustomerRecord[]>(`${CUSTOMERS}?sort=updated`);
  const times = listed.map(({ updated_at }) => updated_at);
  expect(times).toEqual(times.toSorted());
  await patchCustomer(company, two, { notes: "After the upgrade" });
  expect(await idsByChange(company, CUSTOMERS, { limit: "1" })).toEqual([four, one, three, two]);
});
