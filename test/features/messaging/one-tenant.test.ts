import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { asked, sendSlowly } from "./bulk.ts";
import { accepted, connect, newNumber, sendSms, until } from "./provider.ts";

test("mails to many through a slow provider delay no other company: its SMS goes before the twentieth of them", async () => {
  const [bulk, other] = await Promise.all([openCompany(), openCompany()]);
  await Promise.all([connect(bulk, "resend"), connect(other, "http-sms")]);
  await sendSlowly(bulk, 100);
  await expect.poll(() => asked(bulk), { interval: 50 }).toBeGreaterThan(0);
  await until(other, accepted(await sendSms(other, { to: newNumber() })), "submitted");
  expect(await asked(bulk)).toBeLessThan(20);
});
