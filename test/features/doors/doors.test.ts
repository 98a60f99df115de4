/**
 * Every door where typed text may match a person whom the company knows. Anybody may type another's e-mail address or
 * number, so each door gives nothing away: no contact, mail, list, package or page.
 *
 * | door | matched by | test |
 * | --- | --- | --- |
 * | a booking from a browser | e-mail, else phone | booking.test.ts, booking-customer.test.ts |
 * | a booking by a package | the package's id, e-mail and phone | packages.test.ts |
 * | a package bought with an order or a booking | as those are | packages.test.ts |
 * | an order of the shop | e-mail, else phone | here |
 * | a lead | e-mail, else phone of those without | here |
 * | an application | e-mail, within a job | here |
 * | a message that a person writes | phone | here |
 * | an erasure | e-mail and phone | erasure.test.ts |
 */
import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getCustomer, newCustomer } from "../commerce.ts";
import { openInbox } from "../erasures/person.ts";
import { APPLICATIONS, applied, apply, newJob } from "../hiring.ts";
import { captured, readLead } from "../leads/leads.ts";
import { arrived, received } from "../messaging/provider.ts";
import { newPayment, refund } from "../money.ts";
import { EMAIL, mailsTo } from "../notifications/lesson-mails.ts";
import { onlyRules, settledLines } from "../notifications/notified.ts";
import { deliver, openShop, placeOrder, razorpayEvent } from "../storefront/shop.ts";
import { twoPeople } from "./two-people.ts";

test("an order of the shop notifies the person named at checkout, not the matched one", async () => {
  const { company, connected } = await openShop();
  await onlyRules(company, { order_paid: EMAIL, refund_made: EMAIL });
  const { him, her } = twoPeople();
  await placeOrder(company, { customer: { ...him, country: "IN" } });
  const hers = await placeOrder(company, { customer: { ...her, country: "IN" } });
  must(await deliver(company, connected, razorpayEvent(hers)), 200);
  expect((await arrived(her.email)).html).toContain(her.name);
  const [online] = await company.rows("SELECT id FROM payments");
  must(await refund(company, String(online?.id)), 200);
  const [invoice] = await company.rows("SELECT id, public_token AS token FROM invoices");
  const byHand = await newPayment(company, { invoice_id: String(invoice?.id), amount: 1 });
  must(await refund(company, byHand.id), 200);
  await mailsTo(her.email, 2);
  must(await company.call("POST", `/invoices/:company/${invoice?.id}/send`, { body: {} }), 202);
  const mails = await mailsTo(her.email, 3);
  expect(JSON.stringify(mails)).not.toMatch(/Viktor|him@/);
  await settledLines(company);
  expect(await received(him.email)).toEqual([]);
  const orders = await company.rows("SELECT customer_id FROM sales_orders ORDER BY id");
  expect(orders[1]).toEqual(orders[0]);
  const known = (await getCustomer(company, String(orders[0]?.customer_id))).body.data;
  expect(known).toMatchObject(him);
  await expectSound(company);
});

test("a lead keeps the contact that it came with: what a later one types stays in that submission", async () => {
  const company = await openCompany();
  await onlyRules(company, { lead_acknowledged: EMAIL });
  const { him, her } = twoPeople();
  const byPhone = { ...her, email: undefined };
  const bare = await captured(company, { ...byPhone, message: "Mine" });
  const his = await captured(company, { ...him, message: "His" });
  expect(his.id).not.toBe(bare.id);
  const again = await captured(company, { ...byPhone, message: "More" });
  expect(again.id).toBe(bare.id);
  const hers = await captured(company, { ...her, phone: undefined, message: "Mail" });
  await captured(company, { name: "X", email: her.email, phone: "9845099999", message: "In her name" });
  expect(await readLead(company, bare.id)).toMatchObject({ name: her.name, email: null, phone: her.phone });
  expect(await readLead(company, his.id)).toMatchObject({ ...him, submission_count: 1 });
  expect(await readLead(company, hers.id)).toMatchObject({ name: her.name, email: her.email, phone: null });
  await mailsTo(him.email, 1);
  await mailsTo(her.email, 1);
  await settledLines(company);
  expect(JSON.stringify(await received(him.email))).not.toMatch(/Mia|Mine|More/);
  await expectSound(company);
});

test("a second application with her address changes nothing of hers, and notifies no other person", async () => {
  const company = await openCompany();
  await onlyRules(company, { application_acknowledged: EMAIL });
  const { him, her } = twoPeople();
  const { slug } = await newJob(company);
  const mine = { first_name: "Mia", last_name: "Chen", email: her.email, phone: her.phone };
  const { id } = await applied(company, slug, mine);
  const read = async () => must(await company.call<object>("GET", `${APPLICATIONS}/${id}`), 200).body.data;
  const before = await read();
  const theirs = { ...mine, first_name: "Viktor", phone: "9845099999", cover_letter: "Not me" };
  const refused = await apply(company, slug, theirs);
  expect(refused).toMatchObject({ status: 409, body: { code: "duplicate_application" } });
  expect(refused.text).not.toMatch(/Mia|Chen/);
  // Her number does not make his application hers.
  await applied(company, slug, { ...mine, first_name: "Viktor", email: him.email });
  expect(await read()).toEqual(before);
  await mailsTo(her.email, 1);
  await mailsTo(him.email, 1);
  await settledLines(company);
  expect(JSON.stringify(await received(him.email))).not.toMatch(/Mia/);
});

test("a message from her number is shown with the matched person: it changes nothing, and notifies no person", async () => {
  const company = await openCompany();
  const { him, her } = twoPeople();
  const customer = await newCustomer(company, him);
  const write = await openInbox(company);
  await write(`91${her.phone}`, "Is my lesson at ten?");
  const list = must(await company.call<object[]>("GET", "/messaging/:company/inbound"), 200).body.data;
  expect(list).toMatchObject([{ customer_id: customer.id, text: "Is my lesson at ten?" }]);
  expect((await getCustomer(company, customer.id)).body.data).toEqual(customer);
  await settledLines(company);
  expect(await received(him.email)).toEqual([]);
  expect(await company.rows("SELECT count(*) AS n FROM messages")).toEqual([{ n: 0 }]);
});
