import { expect, test } from "vitest";
import type { TestCompany } from "../../support/company.ts";
import { accepted, newNumber, openWith, received, until } from "./provider.ts";

/** Makes the company's messages what they are when the call that stored them dies before it has queued them. */
async function lose(company: TestCompany): Promise<void> {
  await company.rows(`UPDATE message_recipients SET status = CASE status WHEN 'submitted' THEN 'queued'
    ELSE status END, dispatch_state = 'pending', provider_message_id = NULL, lease = NULL, attempts = 0, leased_until = 0`);
}

test("the replay of a send queues what its first call stored and did not queue", async () => {
  const company = await openWith("http-sms");
  const body = { to: newNumber(), message: "Your code is 2718." };
  const headers = { "Idempotency-Key": "otp" };
  const path = "/messaging/:company/sms";
  const first = await company.call<{ id: string }>("POST", path, { body, headers });
  const id = accepted(first);
  await until(company, id, "submitted");
  await lose(company);
  const again = await company.call<{ id: string }>("POST", path, { body, headers });
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.text).toBe(first.text);
  await until(company, id, "submitted");
  // This provider sends each reference once, so its inbox holds one.
  expect(await received(body.to)).toHaveLength(1);
});

test("the replay of a send that is done asks no provider", async () => {
  const company = await openWith("msg91");
  const body = { to: newNumber(), message: "Your code is 2718." };
  const headers = { "Idempotency-Key": "otp" };
  const send = () => company.call<{ id: string }>("POST", "/messaging/:company/sms", { body, headers });
  const id = accepted(await send());
  await until(company, id, "submitted");
  await send();
  // What is queued later is done later: after this one the replay's job has run.
  const later = await company.call<{ id: string }>("POST", "/messaging/:company/sms", {
    body: { ...body, to: newNumber() },
  });
  await until(company, accepted(later), "submitted");
  expect(await received(body.to)).toHaveLength(1);
});
