import { describe, expect, test } from "vitest";
import { newCustomer, newInvoice } from "../../features/commerce.ts";
import { newAddress, sendEmail } from "../../features/messaging/provider.ts";
import { times } from "../../features/money.ts";
import { refusal } from "../../features/refusal.ts";
import { type Key, must, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { KEYS } from "./keys.ts";

const NONE = { max_calls_per_minute: null, max_messages_per_day: null, max_keys: null };
const LIST = "/customers/:company";
const admitted = (answers: Answer[]) => answers.filter(({ status }) => status < 300);

function keysWith(company: TestCompany, fields: Record<string, unknown>): Promise<Key[]> {
  return Promise.all([1, 2, 3].map(() => company.makeKey(fields)));
}

function mail(company: TestCompany, key: Key, count = 1): Promise<Answer> {
  const to = Array.from({ length: count }, () => newAddress());
  const body = { to, subject: "Ready", html: "<p>Ready</p>" };
  return company.call("POST", "/messaging/:company/email", { body, key });
}

describe("a company's own ceilings, which the platform operations set and no key can raise", () => {
  test("are none at first, and taken away again with null", async () => {
    const company = await openCompany();
    expect(must(await company.patch({ name: "Asha" }), 200).body.data).toMatchObject(NONE);
    const set = { max_calls_per_minute: 9, max_messages_per_day: 0, max_keys: 3 };
    expect(must(await company.patch(set), 200).body.data).toMatchObject(set);
    const copied = { calls_ceiling: 9, messages_ceiling: 0, keys_ceiling: 3 };
    expect(await company.rows("SELECT * FROM company_copy")).toMatchObject([copied]);
    expect(must(await company.patch(NONE), 200).body.data).toMatchObject(NONE);
    for (const body of [{ max_calls_per_minute: 0 }, { max_keys: 0 }, { max_messages_per_day: -1 }])
      expect(await company.patch(body)).toMatchObject({ status: 422 });
  });

  test("messages of a day: three keys that may send 2 each send 2 together", async () => {
    const company = await openCompany();
    const keys = await keysWith(company, { scopes: ["messages:email:send"], messaging_daily_cap: 2 });
    must(await company.patch({ max_messages_per_day: 2 }), 200);
    const answers = await Promise.all(keys.flatMap((key) => [mail(company, key), mail(company, key)]));
    expect(admitted(answers)).toHaveLength(2);
    for (const { body, headers } of answers.filter(({ status }) => status === 429)) {
      expect(body.code).toBe("messaging_daily_cap");
      expect(headers.get("X-Messaging-Cap-Limit")).toBe("2");
      expect(Number(headers.get("Retry-After"))).toBe(Number(headers.get("X-Messaging-Cap-Reset")));
    }
    expect(await company.rows("SELECT count(*) AS n FROM messages")).toEqual([{ n: 2 }]);
    must(await company.patch({ max_messages_per_day: 4 }), 200);
    const more = await Promise.all(keys.flatMap((key) => [mail(company, key), mail(company, key)]));
    expect(admitted(more)).toHaveLength(2);
  });

  test("messages of a day count what was sent before the ceiling was set, and what a key did not need is given back", async () => {
    const company = await openCompany();
    for (let sent = 0; sent < 3; sent += 1) must(await sendEmail(company), 202);
    must(await company.patch({ max_messages_per_day: 5 }), 200);
    const small = await company.makeKey({ scopes: ["messages:email:send"], messaging_daily_cap: 1 });
    expect(await mail(company, small, 2)).toMatchObject({ status: 429 });
    const later = { send_at: new Date(Date.now() + 3_600_000).toISOString() };
    const waiting = must(await sendEmail(company, later), 202).body.data;
    must(await company.call("POST", `/messaging/:company/messages/${waiting.id}/cancel`), 200);
    must(await sendEmail(company), 202);
    must(await sendEmail(company), 202);
    expect(await sendEmail(company)).toMatchObject({ status: 429, body: { code: "messaging_daily_cap" } });
  });

  test("calls of a minute: three keys are admitted so many together, and each learns what is left of all", async () => {
    const company = await openCompany();
    const keys = await keysWith(company, { scopes: ["customers:read"], rate_limit_per_minute: 100 });
    must(await company.patch({ max_calls_per_minute: 10 }), 200);
    const asked = keys.flatMap((key) => Array.from({ length: 10 }, () => company.call("GET", LIST, { key })));
    const answers = await Promise.all(asked);
    expect(admitted(answers)).toHaveLength(10);
    for (const { headers, body } of answers) {
      expect(headers.get("X-RateLimit-Limit")).toBe("10");
      if (body.code !== undefined) expect(body).toMatchObject({ code: "rate_limited" });
    }
    await company.clock(62);
    expect(await company.call("GET", LIST, { key: keys[0] as Key })).toMatchObject({ status: 200 });
  });

  test("keys: one more than so many is 409 limit_reached; what is revoked or has ended makes room", async () => {
    const company = await openCompany();
    must(await company.patch({ max_keys: 2 }), 200);
    const second = await company.key("customers:read");
    const body = { name: "Third", type: "secret", scopes: [] };
    const third = () => company.call<Key>("POST", KEYS, { body });
    expect(await third()).toMatchObject({ status: 409, body: { code: "limit_reached", limit: 2 } });
    must(await company.call("DELETE", `${KEYS}/${second.client_id}`), 200);
    const answers = await Promise.all([third(), third(), third()]);
    expect(admitted(answers)).toHaveLength(1);
    must(await company.patch({ max_keys: 1 }), 200);
    expect(must(await company.call<Key[]>("GET", KEYS), 200).body.data).toHaveLength(2);
    expect(await third()).toMatchObject({ status: 409 });
  });

  test("keys: one that has ended comes to life again only where there is room", async () => {
    const company = await openCompany();
    const soon = new Date(Date.now() + 60_000).toISOString();
    const ended = await company.makeKey({ scopes: ["customers:read"], expires_at: soon });
    await company.clock(62);
    const second = await company.key("customers:read");
    must(await company.patch({ max_keys: 2 }), 200);
    const later = new Date(Date.now() + 600_000).toISOString();
    const patch = (body: object) => company.call("PATCH", `${KEYS}/${ended.client_id}`, { body });
    for (const expires_at of [null, later])
      expect(await patch({ expires_at })).toMatchObject(refusal(409, "limit_reached", { limit: 2 }));
    must(await patch({ name: "Old", expires_at: soon }), 200);
    must(await company.call("DELETE", `${KEYS}/${second.client_id}`), 200);
    must(await patch({ expires_at: null }), 200);
    must(await patch({ expires_at: later }), 200);
  });

  test("messages of a day are counted by the days of UTC, so that another time zone brings no new day", async () => {
    const company = await openCompany();
    must(await company.patch({ max_messages_per_day: 1 }), 200);
    must(await sendEmail(company), 202);
    for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      must(await company.call("PATCH", "/settings/:company/profile", { body: { timezone } }), 200);
      const refused = await sendEmail(company);
      expect(refused).toMatchObject({ status: 429, body: { code: "messaging_daily_cap" } });
      const untilMidnight = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400);
      expect(Math.abs(Number(refused.headers.get("Retry-After")) - untilMidnight)).toBeLessThan(60);
    }
  });

  test("messages of a day count each recipient of an invoice that is sent, but no key's cap does", async () => {
    const company = await openCompany();
    const customer = await newCustomer(company);
    const { id } = await newInvoice(company, customer.id);
    const key = await company.makeKey({ scopes: ["invoices:write"], messaging_daily_cap: 0 });
    must(await company.patch({ max_messages_per_day: 3 }), 200);
    const send = (body: object) =>
      company.call<{ id: string }>("POST", `/invoices/:company/${id}/send`, { key, body });
    const two = {
      emails: [newAddress(), newAddress()],
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const waiting = must(await send(two), 202).body.data;
    const refused = await send(two);
    expect(refused).toMatchObject({ status: 429, body: { code: "messaging_daily_cap" } });
    expect(refused.headers.get("Retry-After")).not.toBe(null);
    expect(await sendEmail(company, { to: [newAddress(), newAddress()] })).toMatchObject({ status: 429 });
    must(await company.call("POST", `/messaging/:company/messages/${waiting.id}/cancel`), 200);
    must(await send({ emails: [newAddress(), newAddress(), newAddress()] }), 202);
    expect(await send({ email: newAddress() })).toMatchObject({ status: 429 });
  });

  test("calls of a minute: publishable keys together use at most half, so that secret keys go on", async () => {
    const company = await openCompany();
    const origin = "https://book.example.com";
    const publishable = await Promise.all(
      [1, 2].map(() => company.makeKey({ type: "publishable", allowed_origins: [origin] })),
    );
    const secret = await company.makeKey({ scopes: ["customers:read"], rate_limit_per_minute: 100 });
    must(await company.patch({ max_calls_per_minute: 10 }), 200);
    const visit = (key: Key) =>
      company.call("GET", "/schools/:company/locations", { key, headers: { Origin: origin } });
    const visits = await Promise.all(publishable.flatMap((key) => [1, 2, 3, 4, 5, 6].map(() => visit(key))));
    expect(admitted(visits)).toHaveLength(5);
    for (const { status, body } of visits.filter((one) => one.status !== 200))
      expect([status, body.code]).toEqual([429, "rate_limited"]);
    const calls = await times(6, () => company.call("GET", LIST, { key: secret }));
    expect(admitted(calls)).toHaveLength(5);
  });
});
