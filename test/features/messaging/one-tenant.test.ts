import { expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { rowsOf } from "../commerce.ts";
import { accepted, connect, newNumber, sendEmail, sendSms, until } from "./provider.ts";

/** Mails to so many recipients, 50 at a time, whose provider answers each after a second. */
async function sendSlowly(company: TestCompany, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => ({
    email: `slow@${index}.${company.slug}.example`,
  }));
  for (let start = 0; start < count; start += 50)
    accepted(await sendEmail(company, { to: all.slice(start, start + 50) }));
}

async function asked(company: TestCompany): Promise<number> {
  const [row] = await rowsOf(company, "SELECT count(*) AS asked FROM message_recipients WHERE attempts > 0");
  return Number(row?.asked);
}

test("mails to many through a slow provider delay no other company: its SMS goes before the twentieth of them", async () => {
  const [bulk, other] = await Promise.all([openCompany(), openCompany()]);
  await Promise.all([connect(bulk, "resend"), connect(other, "http-sms")]);
  await sendSlowly(bulk, 100);
  await expect.poll(() => asked(bulk), { interval: 50 }).toBeGreaterThan(0);
  await until(other, accepted(await sendSms(other, { to: newNumber() })), "submitted");
  expect(await asked(bulk)).toBeLessThan(20);
});
