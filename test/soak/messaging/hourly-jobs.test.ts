import { expect, inject, test } from "vitest";
import { reserveQuota } from "#core/quota.ts";
import {
  accepted,
  connect,
  openWith,
  readMessage,
  sendSms,
  until,
} from "../../features/messaging/provider.ts";
import { must, openCompany } from "../../support/company.ts";
import { send } from "../../support/http.ts";

const DAY_S = 86_400;

test("what a provider reported of an id before it answered with that id is applied when it does", async () => {
  const company = await openCompany();
  const { callback_url: url } = await connect(company, "http-sms");
  // This provider's id of a message is our own.
  const id = accepted(await sendSms(company));
  await until(company, id, "submitted");
  // As if no queue had taken it two minutes ago.
  const at = Date.now() - 120_000;
  await company.rows("UPDATE messages SET created_at = ?", at);
  const waiting = `UPDATE message_recipients SET status = 'queued', dispatch_state = 'pending', provider_message_id = NULL,
    lease = NULL, leased_until = ?`;
  await company.rows(waiting, at);
  const path = url.slice(inject("service").url.length);
  expect((await send("POST", path, { body: { id, status: "delivered" } })).status).toBe(200);
  expect(await readMessage(company, id)).toMatchObject({ status: "queued", provider_message_id: null });
  await company.startSweep();
  expect(await until(company, id, "delivered")).toMatchObject({ provider_message_id: id, error: null });
  expect(await company.rows("SELECT * FROM provider_events_unmatched")).toEqual([]);
});

const SETTINGS = "/settings/:company/messaging-settings";

test.each([
  { content_days: 30, message_days: 400, set: false },
  { content_days: 5, message_days: 9, set: true },
])("of %j, contents and messages are kept so long, and no longer", async ({ set, ...days }) => {
  const company = await openWith("msg91");
  if (set) must(await company.call("PATCH", SETTINGS, { body: days }), 200);
  expect(must(await company.call("GET", SETTINGS), 200).body.data).toMatchObject(days);
  const submitted = async () => {
    const id = accepted(await sendSms(company));
    await until(company, id, "submitted");
    return id;
  };
  const first = await submitted();
  await company.clock(2 * DAY_S);
  const second = await submitted();
  const kept = async () => {
    const rows = await company.rows("SELECT id, content IS NOT NULL AS has FROM messages ORDER BY id");
    return rows.map(({ id, has }) => [id, has]);
  };
  const sweepAfter = async (day: number) => {
    await company.clock(day * DAY_S);
    await company.startSweep();
  };
  await sweepAfter(days.content_days + 1);
  await expect.poll(kept).toEqual([
    [first, 0],
    [second, 1],
  ]);
  expect(await readMessage(company, first)).toMatchObject({ status: "submitted", segments: 1 });
  await sweepAfter(days.message_days + 1);
  await expect.poll(kept).toEqual([[second, 0]]);
});

test("messages are kept for a day at least", async () => {
  const company = await openCompany();
  const body = { content_days: 0 };
  expect((await company.call("PATCH", SETTINGS, { body })).status).toBe(422);
});

test("a quota that does not answer is 503: nothing is sent that is not counted", async () => {
  const objects = { getByName: () => ({ reserve: () => Promise.reject(new Error("overloaded")) }) };
  const company = {
    id: 1,
    slug: "asha",
    name: "Asha",
    country: "IN",
    currency: "INR",
    timezone: "Asia/Kolkata",
  };
  const reserved = reserveQuota(
    objects as never,
    {
      name: "quota",
      clientId: "ck_1",
      rate: 30,
      cap: 1_000,
      codes: { rate: "rate_limited", cap: "rate_limited" },
    },
    { company, now: 0, day: "2026-11-21", cost: 1, spent: async () => 0 },
    () => {},
  );
  await expect(reserved).rejects.toMatchObject({ code: "unavailable", status: 503 });
});
