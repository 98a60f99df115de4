import { expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { send } from "../../../support/http.ts";
import { accepted, arrived, connect, newAddress, readMessage, sendEmail } from "../provider.ts";

const PROVIDERS = "/settings/:company/messaging-providers";
const SUPPRESSIONS = "/settings/:company/suppressions";

test("what a mail server says later stands in the message, which stays sent; a hard end suppresses", async () => {
  const company = await openCompany();
  const { id: provider, callback_url: url } = await connect(company, "postmark");
  await connect(company, "resend");
  const [first, second] = [newAddress("first"), newAddress("second")];
  const id = accepted(await sendEmail(company, { to: [first, second] }));
  const ids = await Promise.all([first, second].map(async (to) => (await arrived(to)).id));
  await expect.poll(async () => (await readMessage(company, id)).provider_message_id).toBe(ids[0]);
  const report = async (Email: string, Type: string) => {
    const MessageID = ids[Email === first ? 0 : 1];
    const body = JSON.stringify({
      RecordType: "Bounce",
      Type,
      TypeCode: 7,
      Description: Type,
      MessageID,
      Email,
    });
    const headers = { "Content-Type": "application/json" };
    expect((await send("POST", new URL(url).pathname, { body, headers })).status).toBe(200);
  };
  const read = () => readMessage(company, id);
  const reasons = async () => {
    const answer = await company.call<{ email: string; reason: string }[]>("GET", SUPPRESSIONS);
    return must(answer, 200).body.data.map(({ email, reason }) => [email, reason]);
  };
  const counts = async () => {
    const answer = await company.call<{ kind: string; failed_later: number }[]>("GET", PROVIDERS);
    return must(answer, 200).body.data.map(({ kind, failed_later }) => [kind, failed_later]);
  };
  expect(await read()).toMatchObject({ status: "sent", error: null, failed: [] });
  expect(await counts()).toEqual([
    ["resend", 0],
    ["postmark", 0],
  ]);

  await report(first, "SoftBounce");
  const full = { email: first, code: "unreachable", message: "SoftBounce" };
  expect(await read()).toMatchObject({
    ...{ status: "sent", failed_at: null, failed: [full] },
    error: { code: "unreachable", message: "SoftBounce", provider_code: "7" },
  });
  expect(await reasons()).toEqual([]);

  await report(second, "HardBounce");
  const gone = { email: second, code: "invalid_recipient", message: "HardBounce" };
  expect(await read()).toMatchObject({ status: "sent", failed: [full, gone] });
  expect(await reasons()).toEqual([[second, "hard_bounce"]]);

  // A hard end after a soft one wins, and a soft one after it changes nothing.
  await report(first, "HardBounce");
  await report(first, "Blocked");
  expect(await read()).toMatchObject({ status: "failed", error: { code: "invalid_recipient" } });

  expect(await counts()).toEqual([
    ["resend", 0],
    ["postmark", 2],
  ]);
  await company.clock(7 * 24 * 3_600);
  expect(await company.read(`${PROVIDERS}/${provider}`)).toMatchObject({ failed_later: 0 });
});

test("callbacks of one address count for each company apart", async () => {
  const [busy, other] = await Promise.all([openCompany(), openCompany()]);
  const ask = (slug: string) =>
    send("POST", `/v1/webhooks/sms/${slug}/http/${"x".repeat(43)}`, {
      body: "{}",
      headers: { "CF-Connecting-IP": "198.51.100.77" },
    });
  const statuses = new Set<number>();
  for (let round = 0; round < 13; round += 1)
    for (const { status } of await Promise.all(Array.from({ length: 100 }, () => ask(busy.slug))))
      statuses.add(status);
  expect([...statuses].sort()).toEqual([404, 429]);
  expect((await ask(other.slug)).status).toBe(404);
});
