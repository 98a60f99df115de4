import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import { getInvoice, line, newCustomer, newInvoice, postInvoice } from "../commerce.ts";
import { newNote, postNote, voidNote } from "../credit-notes/notes.ts";
import { erase } from "../erasures/person.ts";
import { CASH, newPayment, postPayment, refund, tally, times, today, voidInvoice } from "../money.ts";
import { refusal } from "../refusal.ts";

const company = await openSound({ state: "Karnataka", gstin: "29AABCR1718E1ZL" });
const customer = await newCustomer(company);
const RETIRED = refusal(409, "external_id_retired");
const duplicate = (id: string) => refusal(409, "duplicate_external_id", { id });
const replayed = ({ headers }: { headers: Headers }) => headers.get("Idempotent-Replayed");
const paymentOf = (invoice: { id: string }, fields: object = {}) => ({
  ...{ invoice_id: invoice.id, amount: 10, payment_date: today(), payment_mode_id: CASH, ...fields },
});

describe("the same create again, with the id and the body of the first", () => {
  test("of an invoice answers as the first did, also after a year", async () => {
    const own = await openCompany({ state: "Karnataka" });
    const { id } = await newCustomer(own);
    const first = must(await postInvoice(own, id, { external_id: "inv-1", invoice_date: today() }), 201);
    await own.clock(366 * 24 * 3_600);
    const again = must(await postInvoice(own, id, { external_id: "inv-1", invoice_date: today() }), 201);
    expect(again.body.data).toMatchObject({ id: first.body.data.id, external_id: "inv-1" });
    expect([replayed(first), replayed(again)]).toEqual([null, "true"]);
    expect(await own.read("/invoices/:company?external_id=inv-1")).toHaveLength(1);
  });

  test("of a payment and a credit note too; each list finds it by its id", async () => {
    const invoice = await newInvoice(company, customer.id);
    const paid = await newPayment(company, paymentOf(invoice, { external_id: "pay-1" }));
    const paidAgain = must(await postPayment(company, paymentOf(invoice, { external_id: "pay-1" })), 201);
    expect([paidAgain.body.data.id, replayed(paidAgain)]).toEqual([paid.id, "true"]);
    const body = { reason: "deficiency", gross_amount: 10, external_id: "note-1" };
    const note = await newNote(company, invoice.id, body);
    const noteAgain = must(await postNote(company, invoice.id, body), 201);
    expect([noteAgain.body.data.id, replayed(noteAgain)]).toEqual([note.id, "true"]);
    const listed = async (path: string) => (await company.read<{ id: string }[]>(path)).map(({ id }) => id);
    expect(await listed("/payments/:company?external_id=pay-1")).toEqual([paid.id]);
    expect(await listed("/credit-notes/:company?external_id=note-1")).toEqual([note.id]);
    const other = await newInvoice(company, customer.id);
    expect(await postNote(company, other.id, body)).toMatchObject(duplicate(note.id));
  });

  test("of 20 at once is one invoice, with 19 answers that say so", async () => {
    const answers = await times(20, () => postInvoice(company, customer.id, { external_id: "inv-race" }));
    expect(tally(answers)).toEqual({ 201: 20 });
    expect(answers.filter((answer) => replayed(answer) === "true")).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const [{ id = "" } = {}] = answers.map(({ body }) => body.data);
    const paid = await times(20, () =>
      postPayment(company, paymentOf({ id }, { external_id: "pay-race", amount: 354 })),
    );
    expect(tally(paid)).toEqual({ 201: 20 });
    expect((await getInvoice(company, id)).amount_paid).toBe(354);
  });

  test("with another body is 409 with the id of the first", async () => {
    const { id } = await newInvoice(company, customer.id, { external_id: "inv-2" });
    const another = await postInvoice(company, customer.id, { external_id: "inv-2", notes: "Another" });
    expect(another).toMatchObject(duplicate(id));
  });
});

describe("an id whose record was voided or refunded", () => {
  test("stays taken: the same create is 409 external_id_retired, without a record", async () => {
    const invoice = await newInvoice(company, customer.id, { external_id: "inv-3" });
    const paid = await newPayment(company, paymentOf(invoice, { external_id: "pay-3" }));
    must(await refund(company, paid.id), 200);
    const again = await postPayment(company, paymentOf(invoice, { external_id: "pay-3" }));
    expect(again).toMatchObject(RETIRED);
    expect(again.body).not.toHaveProperty("id");
    const body = { reason: "deficiency", gross_amount: 10, external_id: "note-3" };
    const note = await newNote(company, invoice.id, body);
    must(await voidNote(company, note.id), 200);
    expect(await postNote(company, invoice.id, body)).toMatchObject(RETIRED);
    must(await voidInvoice(company, invoice.id), 200);
    expect(await postInvoice(company, customer.id, { external_id: "inv-3" })).toMatchObject(RETIRED);
  });
});

test("an erasure drops the hash of the body: the create again is 409 with the invoice that the books keep", async () => {
  const email = "kept@mail.example";
  const { id: buyer } = await newCustomer(company, { email });
  const { id } = await newInvoice(company, buyer, { external_id: "inv-5" });
  await erase(company, { email });
  const again = await postInvoice(company, buyer, { external_id: "inv-5" });
  expect(again).toMatchObject(duplicate(id));
  const [kept] = await company.rows("SELECT create_hash FROM external_ids WHERE external_id = 'inv-5'");
  expect(kept).toEqual({ create_hash: null });
});

test("a dry run with an id writes nothing, and leaves the id free", async () => {
  const body = { customer_id: customer.id, items: [line], external_id: "inv-dry" };
  const dry = await company.call("POST", "/invoices/:company?dry_run=true", { body });
  expect(must(dry, 201).body.data.external_id).toBe("inv-dry");
  expect(replayed(must(await company.call("POST", "/invoices/:company", { body }), 201))).toBeNull();
});
