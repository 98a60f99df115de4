import { expect, test } from "vitest";
import { reserveMessages } from "#platform/messaging-quota.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { accepted, connect, newNumber, readMessage, received, sendSms, until } from "./provider.ts";

const DAY_S = 86_400;

/** A message that was accepted so many seconds ago, and that no queue knows of. */
async function lost(company: TestCompany, secondsAgo: number): Promise<{ id: string; to: string }> {
  const to = newNumber();
  const id = accepted(await sendSms(company, { to }));
  await until(company, id, "submitted");
  const at = Date.now() - secondsAgo * 1_000;
  await company.database().batch(
    [
      { sql: "UPDATE messages SET created_at = ? WHERE id = ?", args: [at, id] },
      {
        sql: `UPDATE message_recipients SET status = 'queued', dispatch_state = 'pending', provider_message_id = NULL,
          claim = NULL, claim_until = ? WHERE message_id = ?`,
        args: [at, id],
      },
    ],
    "write",
  );
  return { id, to };
}

test("what the queue did not take goes out with the next sweep; what is a day old has expired", async () => {
  const company = await openCompany();
  await connect(company, "http-sms");
  const [late, old] = [await lost(company, 120), await lost(company, DAY_S + 60)];
  await company.startSweep();
  await until(company, late.id, "submitted");
  expect(await until(company, old.id, "failed")).toMatchObject({ error: { code: "expired" } });
  // A provider that deduplicates was asked under one name.
  expect(await received(late.to)).toHaveLength(1);
});

test("a claim that lapsed without a word is not sent again where the provider would send it twice", async () => {
  const company = await openCompany();
  await connect(company, "msg91");
  const { id, to } = await lost(company, 120);
  await company
    .database()
    .execute("UPDATE message_recipients SET dispatch_state = 'dispatching', claim = 'dead'");
  await company.startSweep();
  expect(await until(company, id, "failed")).toMatchObject({ error: { code: "unknown" } });
  expect(await received(to)).toHaveLength(1);
});

test("contents are forgotten after 30 days, messages after 400", async () => {
  const company = await openCompany();
  await connect(company, "msg91");
  const id = accepted(await sendSms(company));
  await until(company, id, "submitted");
  const content = async () =>
    (await company.database().execute("SELECT content FROM messages")).rows.map((row) => row.content);
  await company.clock(29 * DAY_S);
  await company.startSweep();
  expect(await content()).not.toEqual([null]);
  await company.clock(31 * DAY_S);
  await company.startSweep();
  await expect.poll(content, { timeout: 10_000 }).toEqual([null]);
  expect(await readMessage(company, id)).toMatchObject({ status: "submitted", segments: 1 });
  await company.clock(401 * DAY_S);
  await company.startSweep();
  await expect.poll(content, { timeout: 10_000 }).toEqual([]);
});

test("a company keeps contents and messages as long as it says", async () => {
  const company = await openCompany();
  await connect(company, "msg91");
  const body = { content_days: 2, message_days: 5 };
  must(await company.call("PATCH", "/settings/:company/messaging-settings", { body }), 200);
  const refused = await company.call("PATCH", "/settings/:company/messaging-settings", {
    body: { content_days: 0 },
  });
  expect(refused.status).toBe(422);
  const id = accepted(await sendSms(company));
  await until(company, id, "submitted");
  const content = async () =>
    (await company.database().execute("SELECT content FROM messages")).rows.map((row) => row.content);
  await company.clock(3 * DAY_S);
  await company.startSweep();
  await expect.poll(content, { timeout: 10_000 }).toEqual([null]);
  await company.clock(6 * DAY_S);
  await company.startSweep();
  await expect.poll(content, { timeout: 10_000 }).toEqual([]);
});

test("a quota that does not answer is 503: nothing is sent that nobody counts", async () => {
  const objects = { getByName: () => ({ reserve: () => Promise.reject(new Error("overloaded")) }) };
  const company = {
    id: 1,
    slug: "asha",
    name: "Asha",
    country: "IN",
    currency: "INR",
    timezone: "Asia/Kolkata",
  };
  const reserved = reserveMessages(
    objects as never,
    { clientId: "ck_1", rate: 30, cap: 1_000 },
    { company, now: 0, day: "2026-11-21", cost: 1 },
    () => {},
  );
  await expect(reserved).rejects.toMatchObject({ code: "unavailable", status: 503 });
});
