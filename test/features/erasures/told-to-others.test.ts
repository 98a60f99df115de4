import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { captured } from "../leads/leads.ts";
import { newAddress } from "../messaging/provider.ts";
import { confirmed, EMAIL, mailsTo, reachable } from "../notifications/lesson-mails.ts";
import { onlyRules, settledLines } from "../notifications/notified.ts";
import { openSchool, STUDENT, SYDNEY } from "../school.ts";
import { erase } from "./person.ts";

type Listed = { id: string; to: string[]; subject: string | null };

test("by a number, what was sent to the address of the same record goes too", async () => {
  const school = await openSchool(SYDNEY);
  const { company } = school;
  await onlyRules(company, { booking_confirmed: { ...EMAIL, audience: ["customer"] } });
  const email = newAddress("mia");
  await confirmed(school, email);
  await mailsTo(email, 1);
  const { erased } = await erase(company, { phone: STUDENT.phone });
  expect(erased).toMatchObject({ customers: 1, messages: 1 });
  const list = must(await company.call<Listed[]>("GET", "/messaging/:company/messages"), 200);
  expect(list.text).not.toContain(email);
  await expectSound(company);
});

test("what was sent of a person to the instructor or the company loses its content, and is not sent again", async () => {
  const school = await openSchool(SYDNEY);
  const { company } = school;
  const office = newAddress("office");
  const body = { company_recipients: [office] };
  must(await company.call("PATCH", "/settings/:company/notifications", { body }), 200);
  await onlyRules(company, {
    booking_confirmed: { ...EMAIL, audience: ["instructor"] },
    lead_received: EMAIL,
  });
  const instructor = await reachable(school);
  const email = newAddress("mia");
  const { id } = await confirmed(school, email);
  await captured(company, { name: "Mia Chen", email });
  await Promise.all([mailsTo(instructor, 1), mailsTo(office, 1)]);
  await settledLines(company);

  await erase(company, { email });
  const told = "SELECT message_id FROM notifications WHERE message_id IS NOT NULL AND record_id IN (?, '1')";
  const rows = await company.rows(told, id);
  expect(rows).toHaveLength(2);
  for (const { message_id } of rows) {
    const again = await company.call("POST", `/messaging/:company/messages/${message_id}/resend`);
    expect(again).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  }
  expect(JSON.stringify(await company.rows("SELECT content, details FROM messages"))).not.toMatch(/mia/i);
  await expectSound(company);
});
