import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { voidInvoice } from "../../money.ts";
import { expectStatus, schoolCall, setRules } from "../../school.ts";
import { CARRIER, openUsual } from "../holds/page.ts";
import { change } from "../money/books.ts";
import { visit } from "../page/visitor.ts";

type Read = { booking: { invoice_url?: string } };

test("the visitor who booked reads where the invoice is, and no other visitor of the page", async () => {
  const { company, from, tokenFor, ask } = await openUsual();
  await setRules(company, { issue_invoices: true });
  const [hers, other] = [await tokenFor(), await tokenFor()];
  const made = expectStatus(await ask(7, "09:00", { visitor: hers }), 201).body.booking;
  const urlFor = async (call: object) => {
    const answer = await schoolCall<Read>(company, "GET", `/bookings/${made.id}`, call);
    return expectStatus(answer, 200).body.booking.invoice_url;
  };
  const herCall = from(CARRIER, { "X-Visitor": hers });
  expect(await urlFor(herCall)).toBeUndefined();
  await change(company, made.id, { status: "confirmed", payment_status: "paid", payment_mode_id: 1 });
  const url = String(await urlFor(herCall));
  expect((await visit(new URL(url).pathname)).status).toBe(200);
  for (const call of [
    from(CARRIER),
    from(CARRIER, { "X-Visitor": other }),
    from(CARRIER, { "X-Visitor": "x" }),
  ])
    expect(await urlFor(call)).toBeUndefined();
  // From elsewhere her token is none.
  expect(await urlFor(from("198.51.100.66", { "X-Visitor": hers }))).toBeUndefined();
  expect(await urlFor({})).toBe(url);
  expect(await urlFor({ key: await company.key("bookings.read") })).toBeUndefined();
  const [sale] = await company.rows("SELECT invoice_id FROM lesson_sales WHERE booking_id = ?", made.id);
  must(await voidInvoice(company, String(sale?.invoice_id)), 200);
  expect(await urlFor(herCall)).toBeUndefined();
});
