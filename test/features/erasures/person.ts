import { vi } from "vitest";
import type * as z from "zod";
import type { erasure } from "../../../src/features/erasures/record.ts";
import { must, openBusy, type TestCompany } from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { connectGateway } from "../../support/gateways.ts";
import { send } from "../../support/http.ts";
import { customerBody, newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { applied, formOf, newJob } from "../hiring.ts";
import { CAPTURE } from "../leads/leads.ts";
import { accepted, connect, sendChatapp, sendEmail, sendSms } from "../messaging/provider.ts";
import { newPayment } from "../money.ts";
import { daysAhead, everyDay, newBooking, newCourse, newInstructor, type School } from "../school.ts";
import { placeOrder, shopper } from "../storefront/shop.ts";

export type ErasureRecord = z.infer<typeof erasure.schema>;
/** One person, as the tests write them; `digits` is the number in E.164 without its plus. */
export type Someone = { name: string; email: string; digits: string; national: string };

export const ERASURES = "/settings/:company/erasures";
export const OPTOUTS = "/settings/:company/optouts";
export const SUPPRESSIONS = "/settings/:company/suppressions";

export const postErasure = (company: TestCompany, body: object) =>
  company.call<ErasureRecord>("POST", ERASURES, { body });
export async function erase(company: TestCompany, body: object): Promise<ErasureRecord> {
  return must(await postErasure(company, body), 201).body.data;
}

/** A registered school with an instructor, a course and a gateway, so that a person can be everywhere. */
export async function openSchool(): Promise<School> {
  const company = await openBusy(REGISTERED);
  await connectGateway(company, "razorpay");
  const instructor = await newInstructor(company, { schedule: everyDay("09:00-17:00") });
  return { company, instructorId: instructor.id, courseId: await newCourse(company) };
}

/** Every cell of text in the company's database that holds one of the texts, in any case: as `table.column`. */
export async function found(company: TestCompany, ...texts: string[]): Promise<string[]> {
  const columns = await company.rows(`
    SELECT t.name AS name, c.name AS column FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '%_search_%'`);
  const cells = columns.map(
    ({ name, column }) =>
      `SELECT '${name}.${column}' AS cell FROM "${name}" one JOIN (SELECT value AS needle FROM json_each(?1)) AS needles
        WHERE typeof(one."${column}") = 'text' AND instr(lower(one."${column}"), needle) > 0`,
  );
  const places = new Set<string>();
  const args = [JSON.stringify(texts.map((text) => text.toLowerCase()))];
  for (let start = 0; start < cells.length; start += 20) {
    const rows = await company.rows(cells.slice(start, start + 20).join(" UNION "), ...args);
    for (const { cell } of rows) places.add(String(cell));
  }
  return [...places].sort();
}

/** Connects a provider of SMS whose callbacks may name any number; gives what writes to the company from one. */
export async function openInbox(company: TestCompany) {
  const path = "/settings/:company/messaging-providers";
  const provider = { channel: "sms", kind: "http", config: { url: "https://sms.example.com/send" } };
  const { pathname } = new URL((await company.make<{ callback_url: string }>(path, provider)).callback_url);
  return async (from: string, text: string) => {
    const body = { id: `in-${crypto.randomUUID()}`, from, to: "918040001000", text };
    must(await send("POST", pathname, { body }), 200);
  };
}

/** A person in every kind of record; returns what only the books keep of them. */
export async function everywhere(school: School, someone: Someone) {
  const { company } = school;
  const { name, email, digits, national } = someone;
  const particulars = {
    name,
    email,
    phone: `+${digits}`,
    notes: `${name} pays late`,
    metadata: { mail: email },
    display_name: `${name} of the shop`,
    shipping_address: { address: `c/o ${name}` },
  };
  const billed = await newCustomer(company, particulars);
  const invoice = await newInvoice(company, billed.id);
  await newPayment(company, { invoice_id: invoice.id, amount: 100 });
  // Another record of theirs, with the number as it is dialled at home.
  const body = { ...customerBody, name, phone: national.replace(/(\d{5})$/, " $1") };
  const remembered = { body, headers: { "Idempotency-Key": `customer-${digits}` } };
  const made = await company.call<{ id: string }>("POST", "/customers/:company", remembered);
  const unbilled = must(made, 201).body.data;
  const form = formOf([
    ["name", name],
    ["email", email],
    ["message", `I am ${name}, call +${digits}`],
    ["attachment", pdf(), "drawing.pdf"],
  ]);
  const lead = must(await company.call<{ id: number }>("POST", CAPTURE, { body: form }), 200).body.data;
  const called = { name, phone: national };
  must(await company.call("POST", CAPTURE, { body: called }), 200);
  const { slug } = await newJob(company, { title: `Welder ${crypto.randomUUID()}` });
  const [firstName = name, ...rest] = name.split(" ");
  const application = await applied(company, slug, {
    first_name: firstName,
    last_name: rest.join(" "),
    email,
  });
  const booking = await newBooking(school, {
    customer: { name, email, phone: `+${digits}` },
    booking_date: daysAhead(9),
    start_time: "10:00",
    pickup_address: `At ${name}'s`,
    student_notes: `${name} is nervous`,
  });
  const customer = { ...shopper, name, email, phone: `+${digits}` };
  const waiting = await placeOrder(company, { customer });
  const left = await placeOrder(company, { customer });
  await company.rows(
    "DELETE FROM payment_intents WHERE kind = 'order' AND ref_id = ?",
    String(left.order_id),
  );
  return { billed, unbilled, remembered, invoice, lead, application, booking, waiting, left };
}

/** A person in every record of messaging: each channel sends them two, they write twice, and opt out. */
export async function inMessages(company: TestCompany, { name, email, digits, national }: Someone) {
  await connect(company, "msg91");
  await connect(company, "meta");
  const sent = [
    accepted(await sendSms(company, { to: digits, message: `Dear ${name}` })),
    accepted(await sendSms(company, { to: national, message: `Dear ${name}` })),
    accepted(await sendChatapp(company, { to: digits, type: "text", text: { body: `Dear ${name}` } })),
    accepted(
      await sendEmail(company, {
        to: { email: email.toUpperCase(), name },
        subject: `For ${name}`,
        html: `<p>${name}</p>`,
      }),
    ),
  ];
  // Whatever came of them, nothing more does.
  const unsent = "SELECT 1 FROM message_recipients WHERE dispatch_state IN ('pending', 'dispatching')";
  await vi.waitUntil(async () => (await company.rows(unsent)).length === 0, {
    timeout: 20_000,
    interval: 100,
  });
  await company.rows("INSERT INTO chatapp_windows (phone, last_inbound_at) VALUES (?, 1)", digits);
  const write = await openInbox(company);
  await write(digits, `This is ${name}`);
  await write(digits, "STOP");
  must(await company.call("POST", SUPPRESSIONS, { body: { email } }), 201);
  return { sent, write };
}
