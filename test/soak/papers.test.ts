import { beforeAll, describe, expect, test } from "vitest";
import { book, daysAhead, everyDay, newCourse, newInstructor, newPackage } from "../features/school.ts";
import { must } from "../support/company.ts";
import { check, filledCompany, SCHEMA, tamper } from "../tenancy/companies/self-check.ts";

const FINAL = "a paper, a movement of stock or money and an account are as they were made";
const EVENT = "a booking, a package and an order are what their last event says";
const STATUS = "a booking has the status of its last event, but for a hold that had run out by then";
const CHAIN = "the audit log is what its chain says";

type Change = { table: string; set: Record<string, string>; where: string };
type Corruption = { change: string; changes: Change[]; names: [sentence: string, id: string][] };

const one = (
  change: string,
  table: string,
  set: Record<string, string>,
  where: string,
  ...name: [sentence: string, id: string]
): Corruption => ({ change, changes: [{ table, set, where }], names: [name] });
const ofInvoice = (change: string, set: Record<string, string>) =>
  one(change, "invoices", set, "id = 4", FINAL, "invoice 4");
const ofItem = (change: string, set: Record<string, string>) =>
  one(change, "invoice_items", set, "invoice_id = 4", FINAL, "invoice 4");
const ofPayment = (change: string, set: Record<string, string>) =>
  one(change, "payments", set, "id = 1", FINAL, "payment 1");
const ofEntry = (change: string, set: Record<string, string>) =>
  one(change, "journal_entries", set, "id = 1", FINAL, "journal_entry 1");
const ofAccount = (change: string, set: Record<string, string>, code: string) =>
  one(change, "accounts", set, `code = '${code}'`, FINAL, "account");
/** Of bookings that were not paid by a package. */
const ofBooking = (change: string, set: Record<string, string>, sentence: string, id: string) =>
  one(change, "bookings", set, "booking_package_id IS NULL", sentence, id);
const ofPackage = (change: string, set: Record<string, string>) =>
  one(change, "booking_packages", set, "id = 1", EVENT, "package 1");
const twice = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, `2 * ${column}`]));

const CORRUPTIONS: Corruption[] = [
  {
    change: "an invoice's amounts are doubled together with its lines and its entry",
    changes: [
      {
        table: "invoices",
        set: twice(
          ...["sub_total", "taxable_total", "cgst_total", "sgst_total", "igst_total", "tax_total"],
          ...["round_off", "total_amount", "amount_due"],
        ),
        where: "id = 4",
      },
      {
        table: "invoice_items",
        set: twice("quantity", "taxable_value", "cgst_amount", "sgst_amount", "igst_amount"),
        where: "invoice_id = 4",
      },
      {
        table: "journal_lines",
        set: twice("debit", "credit"),
        where:
          "entry_id = (SELECT id FROM journal_entries WHERE source_type = 'invoice' AND source_id = 4 AND reversal_of IS NULL)",
      },
    ],
    names: [[FINAL, "invoice 4"]],
  },
  ofInvoice("the buyer gets a GSTIN", { customer: "json_set(customer, '$.gstin', '29AAGCB7383J1Z4')" }),
  ofInvoice("the buyer gets another name", { customer: "json_set(customer, '$.name', 'Somebody')" }),
  ofInvoice("the seller's GSTIN is another", { seller: "json_set(seller, '$.gstin', '29AAGCB7383J1Z4')" }),
  ofInvoice("the due date is later", { due_date: "date(due_date, '+30 days')" }),
  ofInvoice("the invoice date is a day earlier", { invoice_date: "date(invoice_date, '-1 day')" }),
  ofInvoice("the place of supply has another name", { place_of_supply_name: "'Goa'" }),
  ofInvoice("the reference is another", { reference_number: "'PO-9'" }),
  ofInvoice("the terms are others", { terms: "'Pay when you like'" }),
  ofInvoice("the notes are others", { notes: "'Paid'" }),
  ofInvoice("the metadata are others", { metadata: `'{"a":1}'` }),
  ofInvoice("it was made at another time", { created_at: "created_at - 1" }),
  ofItem("a line has another HSN code", { hsn_sac_code: "'9999'" }),
  ofItem("a line has another name", { item_name: "'Gold'" }),
  ofItem("a line has another unit", { unit: "'KGS'" }),
  ofItem("a line has another description", { description: "'As agreed'" }),
  ofPayment("a payment is of another invoice", { invoice_id: "3" }),
  ofPayment("a payment is of another mode", { payment_mode_id: "3" }),
  ofPayment("a payment is of another day", { payment_date: "date(payment_date, '-1 day')" }),
  ofPayment("tax was withheld by another section", { tds_section: "'194J'" }),
  ofPayment("a payment has another reference", { reference_number: "'UTR1'" }),
  one(
    "goods moved for another reason",
    "stock_movements",
    { reason: "'Stolen'" },
    "id = 1",
    FINAL,
    "stock_movement 1",
  ),
  ofEntry("an entry has another narration", { narration: "'Adjustment'" }),
  ofEntry("an entry is of another day", { entry_date: "date(entry_date, '-1 day')" }),
  ofEntry("an entry has another number", { entry_number: "'JV/99-00/00001'" }),
  ofAccount("an account is of another type", { type: "'income'" }, "2100"),
  {
    change: "the types of two accounts are swapped",
    changes: [
      { table: "accounts", set: { type: "'expense'" }, where: "code = '4000'" },
      { table: "accounts", set: { type: "'income'" }, where: "code = '5300'" },
    ],
    names: [[FINAL, "account"]],
  },
  ofAccount("an account has another code", { code: "'9001'" }, "1300"),
  ofBooking("a paid booking is unpaid", { payment_status: "'unpaid'" }, EVENT, "booking bkg_"),
  ofBooking("a booking costs less", { total_amount: "1" }, EVENT, "booking bkg_"),
  ofBooking("a booking is of another day", { booking_date: "'2020-01-01'" }, EVENT, "booking bkg_"),
  ofBooking("a booking is over", { status: "'completed'" }, STATUS, "bkg_"),
  ofPackage("a package of 5 lessons has 50", { sessions_total: "50" }),
  ofPackage("a package never expires", { expires_at: "9999999999999" }),
  {
    change: "a digest is another",
    changes: [
      { table: "paper_digests", set: { digest: "'00'" }, where: "kind = 'invoice' AND record_id = 4" },
    ],
    names: [
      [FINAL, "invoice 4"],
      [CHAIN, ""],
    ],
  },
  {
    change: "a digest is of another record",
    changes: [
      { table: "paper_digests", set: { record_id: "400" }, where: "kind = 'payment' AND record_id = 1" },
    ],
    names: [
      [FINAL, "payment 1"],
      [FINAL, "payment 400"],
      [CHAIN, ""],
    ],
  },
];

/** Makes the changes, and gives the statements that take them back. */
async function corrupt(changes: readonly Change[]): Promise<string[]> {
  const undo: string[] = [];
  for (const { table, set, where } of changes) {
    const columns = Object.keys(set);
    const key = table === "journal_lines" ? ["entry_id", "position"] : ["rowid"];
    const of = table === "paper_digests" ? ["kind", "last_id"] : key;
    const shown = [...of, ...columns].map((column) => `quote(${column}) AS ${column}`).join(", ");
    const rows = await company.rows(`SELECT ${shown} FROM ${table} WHERE ${where}`);
    expect(rows).not.toEqual([]);
    const assigned = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
    await company.rows(`UPDATE ${table} SET ${assigned.join(", ")} WHERE ${where}`);
    for (const row of rows) {
      const before = columns.map((column) => `${column} = ${row[column]}`).join(", ");
      const here =
        table === "paper_digests"
          ? "record_id = 400 OR digest = '00'"
          : of.map((column) => `${column} = ${row[column]}`).join(" AND ");
      undo.push(`UPDATE ${table} SET ${before} WHERE ${here}`);
    }
  }
  return undo;
}

const company = await filledCompany();
const instructor = await newInstructor(company, { schedule: everyDay("09:00-17:00") });
const school = { company, instructorId: instructor.id, courseId: await newCourse(company) };
await newPackage(school, { customer_id: "1" });
must(await book(school, { booking_date: daysAhead(3), start_time: "10:00" }), 201);
const [{ id } = { id: "" }] = await company.rows("SELECT id FROM bookings");
const path = `/settings/:company/bookings/${id}`;
must(await company.call("PATCH", path, { body: { status: "confirmed", payment_status: "paid" } }), 200);
await company.untilChained();
expect(await check(company)).toMatchObject({ broken: [] });
const counts = "SELECT kind, count(*) AS papers FROM paper_digests GROUP BY kind ORDER BY kind";
expect(await company.rows(counts)).toMatchObject([
  { kind: "account" },
  { kind: "audit_values" },
  { kind: "invoice", papers: 5 },
  { kind: "journal_entry" },
  { kind: "payment", papers: 3 },
  { kind: "stock_movement", papers: 4 },
]);

test("a person's erasure raises no alarm, nor does what is written afterwards", async () => {
  const body = { customer_id: "1" };
  must(await company.call("POST", "/settings/:company/erasures", { body }), 201);
  const [erased] = await company.rows(
    "SELECT count(*) AS n FROM invoices WHERE customer_id = 1 AND customer ->> '$.email' IS NOT NULL",
  );
  expect(erased).toMatchObject({ n: 0 });
  await company.untilChained();
  expect(await check(company)).toMatchObject({ broken: [] });
});

describe("what is changed by hand is named by its record", () => {
  beforeAll(async () => {
    const triggers = await company.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'");
    await company.database().batch(
      triggers.map(({ name }) => `DROP TRIGGER ${name}`),
      "write",
    );
  });

  test.each(CORRUPTIONS)("$change", async ({ changes, names }) => {
    const undo = await corrupt(changes);
    const { broken } = await check(company);
    for (const [sentence, id] of names) {
      const ids = broken.find(({ invariant }) => invariant === sentence)?.ids ?? [];
      expect(ids.join(", ")).toContain(id);
    }
    await company.database().batch(undo, "write");
    expect((await check(company)).broken.map(({ invariant }) => invariant)).toEqual([SCHEMA]);
  });
});

test("a paper that was deleted is named, also with its digest", async () => {
  const gone = await filledCompany();
  await gone.untilChained();
  await tamper(gone, ["DELETE FROM payments WHERE id = 2"]);
  const named = async () => (await check(gone)).broken.map(({ invariant }) => invariant);
  expect(await named()).toContain(FINAL);
  await tamper(gone, ["DELETE FROM paper_digests WHERE kind = 'payment' AND record_id = 2"]);
  expect(await named()).toContain(CHAIN);
});
