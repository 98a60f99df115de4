import { openCompany, type TestCompany } from "../../support/company.ts";
import { pagesOf } from "../../support/pages.ts";
import { newCustomer, newInvoice, REGISTERED, setClock } from "../commerce.ts";
import { byQuantity, newNote } from "../credit-notes/notes.ts";
import { newPayment, refund, voidInvoice } from "../money.ts";

/** What the company of these tests takes for now: a day of the financial year 2026-27. */
export const TODAY = "2026-11-30";

/**
 * A shop with sales of 354.00 in two financial years: one paid in part twice, one credited in part, one voided, one whose
 * payment was taken back; and one of another customer, paid and then credited. They are made in another order than their days'.
 */
export async function openShop() {
  const company = await openCompany(REGISTERED);
  await setClock(company, `${TODAY}T06:00:00Z`);
  const { id: meera } = await newCustomer(company);
  const { id: ravi } = await newCustomer(company, { name: "Ravi & <b>Sons</b>" });
  const sell = (customer: string, day: string, due: string) =>
    newInvoice(company, customer, { invoice_date: day, due_date: due });
  const pay = (id: string, day: string, amount: number) =>
    newPayment(company, { invoice_id: id, amount, payment_date: day });
  const paidTwice = await sell(meera, "2026-02-10", "2026-02-25");
  const open = await sell(meera, "2026-11-10", "2026-12-10");
  const credited = await sell(meera, "2026-10-05", "2026-11-04");
  const voided = await sell(meera, "2026-10-12", "2026-10-12");
  await pay(paidTwice.id, "2026-11-02", 54);
  await pay(paidTwice.id, "2026-03-20", 100);
  const wrong = await pay(open.id, "2026-11-15", 354);
  const note = await newNote(
    company,
    credited.id,
    byQuantity(credited.items[0]?.id, 1, { note_date: "2026-10-20" }),
  );
  const other = await sell(ravi, "2026-11-20", "2026-11-20");
  await pay(other.id, "2026-11-21", 354);
  const unused = await newNote(company, other.id, { note_date: "2026-11-22", reason: "cancellation" });
  await voidInvoice(company, voided.id);
  await refund(company, wrong.id);
  return { company, meera, ravi, credited, voided, note, unused, wrong };
}

/** All records of a list, three on a page. */
export async function allOf<Row>(company: TestCompany, path: string, query = {}): Promise<Row[]> {
  return (await pagesOf<Row>(company, `/ledger/:company/${path}`, { limit: "3", ...query })).flat();
}
