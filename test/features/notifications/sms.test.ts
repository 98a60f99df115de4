import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { arrived, connect } from "../messaging/provider.ts";
import { book, openSchool, STUDENT } from "../school.ts";
import { confirmed, WHEN } from "./lesson-mails.ts";
import { logOf, onlyRules, setNotifications } from "./notified.ts";

const SMS = { channels: { sms: true }, audience: ["customer"] };
const MINUTE_MS = 60_000;

const newPhone = (prefix: string, digits: number) =>
  prefix + String(Math.floor(Math.random() * 10 ** digits)).padStart(digits, "0");
const clockAt = (instant: number) => new Date(instant).toISOString().slice(11, 16);

describe("a registered template in India", () => {
  const TEXT = "{{company.name}}: {{booking.date}}, {{booking.instructor}}. {{booking.link}}";
  const TEMPLATE = "/settings/:company/notification-templates/booking_requested/sms/en";

  async function indianSchool(registered: string) {
    const school = await openSchool({ name: "Shri Balaji Driving School of Bengaluru" });
    const { company } = school;
    await connect(company, "msg91");
    await onlyRules(company, { booking_requested: SMS });
    const template = { template_id: "1107", text: registered, sender_id: "BALAJI" };
    must(await company.call("POST", "/settings/:company/sms-templates", { body: template }), 201);
    must(await company.call("PUT", TEMPLATE, { body: { text: TEXT, template_id: "1107" } }), 200);
    return school;
  }

  test("has values of 30 characters at most, but a link whole", async () => {
    const school = await indianSchool("{#var#}: {#var#}, {#var#}. {#var#}{#var#}{#var#}{#var#}{#var#}");
    const phone = newPhone("98450", 5);
    // The extension is not dialled.
    await book(school, { ...WHEN, customer: { name: "Asha Rao", phone: `+91 ${phone} x5` } });
    const { text } = await arrived(`91${phone}`);
    expect(text).toMatch(/^Shri Balaji Driving School of : .{1,30}, Priya Raman\. https?:\S+\/b\/\S{43,}$/);
    const path = "/messaging/:company/messages";
    const [message] = must(await school.company.call<object[]>("GET", path), 200).body.data;
    expect(message).toMatchObject({ template_id: "1107", sender_id: "BALAJI" });
    expect(message).not.toHaveProperty("warnings");
  });

  test("that the text is not is sent all the same, and the message and a preview say so", async () => {
    const school = await indianSchool("Dear {#var#}, your lesson is on {#var#}.");
    const { company } = school;
    const preview = must(await company.call<object>("POST", `${TEMPLATE}/preview`, { body: {} }), 200);
    expect(preview.body.data).toMatchObject({ warnings: ["dlt_template_mismatch", "text_cut"] });
    const phone = newPhone("98451", 5);
    await book(school, { ...WHEN, customer: { name: "Asha Rao", phone } });
    await arrived(`91${phone}`);
    const [message] = await company.read<object[]>("/messaging/:company/messages");
    expect(message).toMatchObject({ warnings: ["dlt_template_mismatch"] });
  });
});

test("in quiet hours an SMS of what the customer did goes at once, and of what staff did at their end", async () => {
  const school = await openSchool({ country: "AU", currency: "AUD", timezone: "UTC" });
  const { company } = school;
  await connect(company, "http-sms");
  const [from, to] = [Date.now() - 60 * MINUTE_MS, Date.now() + 120 * MINUTE_MS].map(clockAt);
  await setNotifications(company, { quiet_hours: { from, to } });
  await onlyRules(company, { booking_requested: SMS, booking_confirmed: SMS });
  const [own, told] = [newPhone("04120", 5), newPhone("04121", 5)];
  await confirmed(school, "", { customer: { ...STUDENT, phone: told } });
  await book(school, { ...WHEN, start_time: "14:00", customer: { name: "Anil", phone: own } });
  await arrived(`61${own.slice(1)}`);
  const lines = (await logOf(company)).map(({ rule, state, due_at }) => [rule, state, due_at?.slice(11, 16)]);
  expect(lines).toEqual([
    ["booking_confirmed", "due", to],
    ["booking_requested", "sent", expect.any(String)],
  ]);
});
