import { describe, expect, test } from "vitest";
import { pauseProvider } from "../../../src/features/messaging/providers/pause.ts";
import { failure } from "../../../src/providers/delivery/index.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer } from "../commerce.ts";
import { connectReceiver, deliveriesTo } from "../events/endpoints.ts";
import { CAPTURE } from "../leads/leads.ts";
import { bodyOf, numberOf, post } from "../messaging/callbacks/chatapp-callback.ts";
import {
  accepted,
  arrived,
  connect,
  newAddress,
  newNumber,
  openWith,
  readMessage,
  received,
  sendChatapp,
  sendEmail,
  sendSms,
  until,
} from "../messaging/provider.ts";
import { dueAt, linesOf, onlyRules, runJob, withLead } from "../notifications/notified.ts";
import { statementsOf } from "../query-plans/plans.ts";
import { deliver, razorpayEvent, shopper } from "../storefront/shop.ts";
import { shopWithOrder } from "../storefront/webhook/webhook.ts";
import { erase, found } from "./person.ts";

// What another system answers, and where it is stored. An erasure may come between the question and the answer of each.
//
// event_attempts.response_excerpt             a receiver's answer to an event               tested here
// message_recipients.error, .provider_message_id  a provider's answer to a message            tested here
// the same                                    a provider's receipt, by our reference        tested here
// provider_events_unmatched                   a receipt of a message that is not known      tested here
// messaging_providers.last_error              a provider's refusal of its credentials       tested here
// gateway_events                              a gateway's event: its type and ids alone     tested here
// payment_intents, payments                   a gateway's ids and amounts: nothing else of its answers has a column
// notifications, messages                     texts of a record that was read before          tested here
// operations (the answer of a test event)     a receiver's answer to an example, which has no person
// leads and applications ask no other system: what they cause is an event, a message or a notification, as above

const PATIENT = { timeout: 60_000, interval: 20 };
const EMAIL = "meera@example.com";
const NAME = "Meera Nair";

const attemptsOf = (company: TestCompany) => company.rows("SELECT status FROM event_attempts");

describe("an erasure that meets a question which another system has not answered yet leaves nothing of its answer:", () => {
  test("a receiver's, to an event of a lead", async () => {
    const company = await openCompany();
    const { id, receiver } = await connectReceiver(company, { types: ["lead.*"] });
    const body = `${NAME} <${EMAIL}> is known here`;
    await receiver.answers({ first: [{ status: 500, body, afterMs: 1_500 }], always: { body } });
    must(await company.call("POST", CAPTURE, { body: { name: NAME, email: EMAIL } }), 200);
    await expect.poll(() => receiver.received(), PATIENT).toHaveLength(1);
    await erase(company, { email: EMAIL });
    await expect.poll(() => attemptsOf(company), PATIENT).toEqual([{ status: 500 }]);
    expect(await found(company, EMAIL, NAME)).toEqual([]);
    // Nor does the next attempt, which has the id alone.
    await expect.poll(() => deliveriesTo(company, id, "state=delivered"), PATIENT).not.toEqual([]);
    expect(await found(company, EMAIL, NAME)).toEqual([]);
  });

  test("a receiver's, to an event of a customer", async () => {
    const company = await openCompany();
    const { receiver } = await connectReceiver(company, { types: ["customer.created"] });
    await receiver.answers({ first: [{ status: 200, body: NAME, afterMs: 1_500 }] });
    await newCustomer(company, { name: NAME, email: EMAIL });
    await expect.poll(() => receiver.received(), PATIENT).toHaveLength(1);
    await erase(company, { email: EMAIL });
    await expect.poll(() => attemptsOf(company), PATIENT).toEqual([{ status: 200 }]);
    expect(await found(company, EMAIL, NAME)).toEqual([]);
  });

  test.each([
    ["SMS", "msg91"],
    ["chat-app message", "meta"],
    ["e-mail", "resend"],
  ] as const)("a provider's, that it has taken one %s", async (channel, kind) => {
    const company = await openCompany();
    await connect(company, kind);
    const to = channel === "e-mail" ? newAddress("slow") : newNumber("00007");
    const [sent, person] =
      channel === "e-mail"
        ? [await sendEmail(company, { to }), { email: to }]
        : [await (channel === "SMS" ? sendSms : sendChatapp)(company, { to }), { phone: `+${to}` }];
    const id = accepted(sent as Parameters<typeof accepted>[0]);
    await expect.poll(() => received(to), PATIENT).toHaveLength(1);
    await erase(company, person);
    const [message] = await received(to);
    // It is over once the room that the account has is free again.
    const asked = "SELECT 1 FROM message_recipients WHERE dispatch_state = 'dispatching'";
    await expect.poll(() => company.rows(asked), PATIENT).toEqual([]);
    await until(company, id, "failed");
    expect(await found(company, to, String(message?.id))).toEqual([]);
  });
});

describe("what comes of an erased person's message later leaves nothing of them:", () => {
  const told = (to: string) => [
    { code: 131_026, title: "Undeliverable", error_data: { details: `+${to} has left` } },
  ];

  test("a receipt by the reference that was sent along", async () => {
    const company = await openCompany();
    const number = numberOf(await connect(company, "meta"));
    const to = newNumber();
    const id = accepted(await sendChatapp(company, { to }));
    await until(company, id, "sent");
    const { id: wamid, reference } = await arrived(to);
    await erase(company, { phone: `+${to}` });
    const status = { id: wamid, status: "failed", data: reference ?? "", errors: told(to) };
    must(await post(bodyOf({ number, statuses: [status] })), 200);
    expect(await readMessage(company, id)).toMatchObject({
      status: "failed",
      error: { code: expect.any(String), message: "erased" },
      provider_message_id: null,
    });
    expect(await found(company, to, wamid)).toEqual([]);
  });

  test("a receipt of a message that is not known any more keeps its code, and none of its words", async () => {
    const company = await openCompany();
    const number = numberOf(await connect(company, "meta"));
    const to = newNumber();
    const status = { id: "wamid.unknown", status: "failed", errors: told(to) };
    must(await post(bodyOf({ number, statuses: [status] })), 200);
    const kept = await company.rows(
      "SELECT error ->> '$.provider_code' AS code FROM provider_events_unmatched",
    );
    expect(kept).toEqual([{ code: "131026" }]);
    expect(await found(company, to)).toEqual([]);
  });

  test("a gateway's event of their order, but for its ids and amounts", async () => {
    const { company, connected, placed } = await shopWithOrder({ customer: { ...shopper, email: EMAIL } });
    await erase(company, { email: EMAIL });
    // An order that may still be paid is kept as it is, and the erasure says so: what its payer typed at the gateway is not.
    const payer = {
      email: "meera@bank.example",
      contact: "+919812345678",
      description: "For Meera's lesson",
    };
    for (const type of ["payment.failed", "order.paid"])
      must(await deliver(company, connected, razorpayEvent(placed, { type, payment: payer })), 200);
    expect(await company.rows("SELECT 1 FROM gateway_events")).toHaveLength(2);
    expect(await found(company, ...Object.values(payer))).toEqual([]);
  });

  test("a refusal of the company's credentials, whose words name them", async () => {
    const company = await openWith("msg91");
    const to = newNumber();
    const id = accepted(await sendSms(company, { to }));
    await until(company, id, "submitted");
    const refuse = async () => {
      const [leased] = await company.rows(`
        SELECT recipient.id, provider.id AS provider, sealed_config AS config FROM message_recipients recipient
          JOIN messaging_providers provider ON kind = 'msg91'`);
      const provider = { id: Number(leased?.provider), sealed_config: String(leased?.config) };
      const reason = failure("provider_auth", `The key may not write to ${to}`, "418");
      const statements = await statementsOf((ctx) => [
        pauseProvider(ctx, provider, reason, Number(leased?.id)),
      ]);
      for (const { sql, args } of statements) await company.rows(sql, ...(args as string[]));
      const paused = "SELECT last_error ->> '$.code' AS code FROM messaging_providers";
      expect(await company.rows(paused)).toEqual([{ code: "provider_auth" }]);
    };
    await refuse();
    expect(await found(company, to)).toContain("messaging_providers.last_error");
    await company.rows("UPDATE messaging_providers SET last_error = NULL, paused_at = NULL");
    await erase(company, { phone: `+${to}` });
    await refuse();
    expect(await found(company, to)).toEqual([]);
  });
});

const LATER = Date.parse("2037-06-03T05:00Z");
const MIA = "mia@example.com";

test("a notification that was read before an erasure is not sent to the erased person after it", async () => {
  const company = await withLead();
  await onlyRules(company, { lead_acknowledged: { channels: { email: true } } });
  await dueAt(company, LATER, { rule: "lead_acknowledged", recipient: "lead" });
  await runJob(company, { now: LATER, meanwhile: () => erase(company, { email: MIA }) });
  expect(await found(company, MIA)).toEqual([]);
  expect(await company.rows("SELECT id FROM messages")).toEqual([]);
  // The same job reads it again.
  expect(await linesOf(company)).toEqual(["lead_acknowledged email lead skipped gone"]);
});

test("a message that was stored while its recipient was searched for is erased with them", async () => {
  const company = await openCompany();
  const id = "msg_01JCZZZZZZZZZZZZZZZZZZZZZZ";
  await company.rows(`CREATE TRIGGER meanwhile AFTER INSERT ON person_erasures BEGIN
    INSERT INTO messages (id, channel, status, details, content, created_at)
      VALUES ('${id}', 'email', 'sent', '{"subject":"Dear Mia"}', '{"text":"Dear Mia"}', 1);
    INSERT INTO message_recipients (message_id, ordinal, address, name, status, provider, dispatch_state, leased_until)
      VALUES ('${id}', 0, 'Mia@example.com', 'Mia', 'sent', 'resend', 'dispatched', 0);
  END`);
  await erase(company, { email: MIA });
  expect(await found(company, MIA, "Mia")).toEqual([]);
  const audited = "SELECT count(*) AS n FROM audit_log WHERE action = 'eraseRecipient'";
  expect(await company.rows(audited)).toEqual([{ n: 1 }]);
  await company.rows("DROP TRIGGER meanwhile");
  await expectSound(company);
});
