import { expect, test } from "vitest";
import { asked, sendSlowly } from "../../features/messaging/bulk.ts";
import { accepted, connect, newNumber, sendSms, until } from "../../features/messaging/provider.ts";
import { openCompany } from "../../support/company.ts";

const RECIPIENTS = 450;
const SLOT_MS = 5_000;

test("while 450 recipients go through a slow provider, another company's SMS and hourly jobs go on; each comes once", {
  timeout: 400_000,
}, async () => {
  const [bulk, other] = await Promise.all([openCompany(), openCompany()]);
  await Promise.all([connect(bulk, "resend"), connect(other, "http-sms")]);
  await sendSlowly(bulk, RECIPIENTS);
  await expect.poll(() => asked(bulk), { interval: 50 }).toBeGreaterThan(0);

  const overtaken: number[] = [];
  for (let sms = 0; sms < 10; sms += 1) {
    const before = await asked(bulk);
    await until(other, accepted(await sendSms(other, { to: newNumber() })), "submitted");
    overtaken.push((await asked(bulk)) - before);
  }
  // Four at a time, each a second: of one slice, of the one that runs, and of the waiting of this test itself.
  expect(Math.max(...overtaken)).toBeLessThan(24);

  const before = await asked(bulk);
  expect(before).toBeLessThan(RECIPIENTS - 100);
  const expired =
    "INSERT INTO operations (scope, fingerprint, created_at, expires_at) VALUES ('old', '', 0, 1)";
  await other.database().execute(expired);
  await other.startSweep();
  const left = () => other.rows("SELECT scope FROM operations WHERE scope = 'old'");
  await expect.poll(left, { timeout: SLOT_MS, interval: 100 }).toEqual([]);
  expect((await asked(bulk)) - before).toBeLessThan(60);

  const sent = async () =>
    (
      await bulk.rows("SELECT dispatch_state, attempts, count(*) AS n FROM message_recipients GROUP BY 1, 2")
    ).map(({ dispatch_state, attempts, n }) => [dispatch_state, Number(attempts), Number(n)]);
  await expect.poll(sent, { timeout: 300_000, interval: 1_000 }).toEqual([["dispatched", 1, RECIPIENTS]]);
  console.log(`recipients of the other company that went before each SMS: ${overtaken.join(", ")}`);
});
