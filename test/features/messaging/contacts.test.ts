import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import {
  accepted,
  connect,
  newAddress,
  newNumber,
  readMessage,
  received,
  sendEmail,
  sendSms,
  until,
} from "./provider.ts";

describe("the lists of who is not written to", () => {
  test("a number listed by hand is accepted and never sent; taken off, it is", async () => {
    const own = await openCompany();
    await connect(own, "msg91");
    const to = newNumber();
    const body = { channel: "sms", address: `+${to}` };
    const { id } = must(await own.call<{ id: string }>("POST", "/settings/:company/optouts", { body }), 201)
      .body.data;
    expect(await own.call("POST", "/settings/:company/optouts", { body })).toMatchObject({ status: 409 });
    const refused = await sendSms(own, { to });
    expect(refused.body.data).toMatchObject({ status: "queued" });
    expect(await readMessage(own, accepted(refused))).toMatchObject({
      status: "rejected",
      error: { code: "not_opted_in" },
    });
    must(await own.call("DELETE", `/settings/:company/optouts/${id}`), 200);
    await until(own, accepted(await sendSms(own, { to })), "submitted");
    expect(await received(to)).toHaveLength(1);
  });

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
});
