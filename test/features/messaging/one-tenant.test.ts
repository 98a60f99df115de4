import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { asked, sendSlowly } from "./bulk.ts";
import { accepted, newNumber, openWith, sendSms, until } from "./provider.ts";

test("a provider that does not answer delays no other company: its SMS goes while the first four are still asked for", async () => {
  const [bulk, other] = await Promise.all([openWith("resend"), openWith("http-sms")]);
  await sendSlowly(bulk, 20, "timeout");
  await expect.poll(() => asked(bulk), { interval: 50 }).toBe(4);
  await until(other, accepted(await sendSms(other, { to: newNumber() })), "submitted");
  const sql = "SELECT count(*) AS n FROM message_recipients WHERE dispatch_state = 'dispatching'";
  expect(Number((await bulk.rows(sql))[0]?.n)).toBe(4);
  // The others are not asked for any more: the service would still wait for an answer when all tests have ended.
  must(await bulk.patch({ status: "suspended" }), 200);
});
