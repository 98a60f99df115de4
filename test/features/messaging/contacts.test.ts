import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { accepted, newAddress, readMessage, sendEmail } from "./provider.ts";

test("an address is suppressed until its time; an e-mail to it alone is not sent", async () => {
  const own = await openCompany();
  const email = newAddress("Meera");
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  must(await own.call("POST", "/settings/:company/suppressions", { body: { email, expires_at } }), 201);
  const answer = await sendEmail(own, { to: email });
  expect(answer.body.data).toMatchObject({
    status: "sent",
    sent_count: 0,
    failed: [{ email, code: "suppressed" }],
  });
  expect(await readMessage(own, accepted(answer))).toMatchObject({
    status: "failed",
    error: { code: "suppressed" },
  });
  await own.clock(3_601);
  expect((await sendEmail(own, { to: email })).body.data).toMatchObject({ sent_count: 1, failed: [] });
  // What has expired may be listed anew, what has not may not.
  must(await own.call("POST", "/settings/:company/suppressions", { body: { email } }), 201);
  expect((await own.call("POST", "/settings/:company/suppressions", { body: { email } })).status).toBe(409);
});
