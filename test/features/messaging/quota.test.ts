import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { times } from "../money.ts";
import { refusal } from "../refusal.ts";
import { newAddress, readMessage, sendEmail, sendSms } from "./provider.ts";

const DAY_S = 86_400;

/** A company whose key has these limits. It is noon there: the day does not turn while a test counts. */
async function withLimits(
  limits: object,
  timezone = "Asia/Kolkata",
  noon = secondsToNoon(timezone),
): Promise<TestCompany> {
  const company = await openCompany({ timezone });
  const path = `/settings/:company/keys/${company.admin.client_id}`;
  must(await company.call("PATCH", path, { body: limits }), 200);
  await company.clock(noon);
  return company;
}

/** Seconds from now until a minute of the next noon in a time zone. */
function secondsToNoon(timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "numeric", minute: "numeric" });
  const [hour = 0, minute = 0] = format.format(new Date()).split(":").map(Number);
  const seconds = ((12 - hour) * 60 - minute) * 60;
  return seconds > 0 ? seconds : seconds + DAY_S;
}

const many = (company: TestCompany, count: number, fields: object = {}) =>
  Promise.all(Array.from({ length: count }, () => sendEmail(company, fields)));
const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 202);
const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429);

async function stored(company: TestCompany): Promise<number> {
  return Number((await company.rows("SELECT count(*) AS n FROM messages"))[0]?.n);
}

describe("the messaging rate", () => {
  test("is 30 in 60 seconds unless the key says otherwise; refused calls do not count, and say when to come again", async () => {
    const company = await openCompany();
    const invalid = await many(company, 10, { subject: "" });
    expect(invalid.map(({ status }) => status)).toEqual(Array(10).fill(422));
    const answers = await many(company, 36);
    expect(accepted(answers)).toHaveLength(30);
    for (const { body, headers } of refused(answers)) {
      expect(body.code).toBe("messaging_rate_limited");
      const wait = Number(headers.get("Retry-After"));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      expect(body.retry_after).toBe(wait);
      const shown = ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));
      expect(shown).toEqual(["30", "0", String(wait)]);
    }
    expect(
      accepted(answers)
        .map(({ headers }) => Number(headers.get("X-RateLimit-Remaining")))
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(await stored(company)).toBe(30);
    // Other operations go on, under the general limit.
    const list = await company.call("GET", "/messaging/:company/messages");
    expect(list.headers.get("X-RateLimit-Limit")).toBe("600");

    await company.clock(61);
    expect((await sendEmail(company)).status).toBe(202);
  });

  test("is each key's own", async () => {
    const company = await withLimits({ messaging_rate_per_minute: 1 });
    // What has no provider is refused before it counts.
    for (let time = 0; time < 2; time += 1)
      expect(await sendSms(company)).toMatchObject(refusal(422, "no_active_provider"));
    expect((await sendEmail(company)).status).toBe(202);
    expect((await sendEmail(company)).status).toBe(429);
    const other = await company.key("messages:email:send");
    const body = { to: newAddress(), subject: "Ready", html: "<p>Ready</p>" };
    expect((await company.call("POST", "/messaging/:company/email", { body, key: other })).status).toBe(202);
  });
});

describe("the daily cap", () => {
  test("lets exactly what is left of it through, whatever comes at the same time", async () => {
    const company = await withLimits({ messaging_daily_cap: 10, messaging_rate_per_minute: 1_000 });
    const answers = await many(company, 50);
    expect(accepted(answers)).toHaveLength(10);
    expect(refused(answers)).toHaveLength(40);
    expect(new Set(refused(answers).map(({ body }) => body.code))).toEqual(new Set(["messaging_daily_cap"]));
    expect(await stored(company)).toBe(10);
  });

  test("counts recipients, and refuses an e-mail to 5 with 4 left whole", async () => {
    const company = await withLimits({ messaging_daily_cap: 10 });
    const to = (count: number) => Array.from({ length: count }, () => newAddress());
    expect((await sendEmail(company, { to: to(6) })).status).toBe(202);
    expect(await sendEmail(company, { to: to(5) })).toMatchObject(refusal(429, "messaging_daily_cap"));
    expect((await sendEmail(company, { to: to(4) })).status).toBe(202);
    expect((await sendEmail(company)).status).toBe(429);
  });

  test("is in the headers beside the minute's limit, of every send and of its refusal", async () => {
    const company = await withLimits({ messaging_daily_cap: 7, messaging_rate_per_minute: 20 });
    const told = (answer: Answer, prefix: string) =>
      ["Limit", "Remaining", "Reset"].map((name) => Number(answer.headers.get(`${prefix}-${name}`)));
    const first = await sendEmail(company, { to: [newAddress(), newAddress(), newAddress()] });
    expect(told(first, "X-Messaging-Cap").slice(0, 2)).toEqual([7, 4]);
    expect(told(first, "X-RateLimit").slice(0, 2)).toEqual([20, 19]);
    const [toMidnight = 0, toMinute = 0] = [told(first, "X-Messaging-Cap")[2], told(first, "X-RateLimit")[2]];
    expect(Math.abs(toMidnight - DAY_S / 2)).toBeLessThanOrEqual(3_700);
    expect(toMinute).toBeLessThanOrEqual(60);

    const over = await sendEmail(company, { to: Array.from({ length: 5 }, () => newAddress()) });
    expect(over).toMatchObject(refusal(429, "messaging_daily_cap"));
    expect(told(over, "X-RateLimit").slice(0, 2)).toEqual([20, 19]);
    expect(told(over, "X-RateLimit")[2]).toBeLessThanOrEqual(60);
    const [limit, remaining, reset = 0] = told(over, "X-Messaging-Cap");
    expect([limit, remaining]).toEqual([7, 4]);
    expect(Number(over.headers.get("Retry-After"))).toBe(reset);
    expect(Math.abs(reset - toMidnight)).toBeLessThanOrEqual(60);
    // What is no send says nothing of it.
    const list = await company.call("GET", "/messaging/:company/messages");
    expect(list.headers.get("X-Messaging-Cap-Limit")).toBeNull();
  });

  test.each(["Asia/Kolkata", "America/New_York"])(
    "turns at midnight in %s, the company's time zone",
    async (timezone) => {
      const noon = secondsToNoon(timezone);
      const company = await withLimits({ messaging_daily_cap: 1 }, timezone, noon);
      expect((await sendEmail(company)).status).toBe(202);
      const wait = Number((await sendEmail(company)).headers.get("Retry-After"));
      // Twelve hours, and one more or less on the days when the clocks are changed.
      expect(Math.abs(wait - DAY_S / 2)).toBeLessThanOrEqual(3_700);
      const now = Date.now();
      const dateAfter = (seconds: number) =>
        new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format(now + (noon + seconds) * 1_000);
      expect(dateAfter(wait)).not.toBe(dateAfter(wait - 60));
      await company.clock(noon + wait - 60);
      expect((await sendEmail(company)).status).toBe(429);
      await company.clock(noon + wait + 1);
      expect((await sendEmail(company)).status).toBe(202);
    },
  );

  test("is given back when nothing was stored", async () => {
    const company = await withLimits({ messaging_daily_cap: 2 });
    await company.faults({ kind: "status", status: 429, writes_only: true });
    expect(await sendEmail(company)).toMatchObject(refusal(503, "unavailable"));
    await company.faults();
    expect(accepted(await many(company, 3))).toHaveLength(2);
  });

  test("goes on from the company's records where the counter was lost", async () => {
    const company = await withLimits({ messaging_daily_cap: 100 });
    const to = () => [newAddress(), newAddress()];
    expect((await sendEmail(company, { to: to() })).status).toBe(202);
    await company.clock(secondsToNoon("Asia/Kolkata") + DAY_S);
    expect((await sendEmail(company, { to: [...to(), newAddress()] })).status).toBe(202);
    // A key whose counter knows nothing, and whose messages are these: two of yesterday, three of today.
    const key = await company.key("messages:email:send");
    const path = `/settings/:company/keys/${key.client_id}`;
    must(await company.call("PATCH", path, { body: { messaging_daily_cap: 4 } }), 200);
    await company.rows(
      `INSERT INTO audit_log (at, actor, action, record, request_id)
        SELECT at, ?, action, record, request_id FROM audit_log WHERE action = 'sendEmail'`,
      key.client_id,
    );
    const send = () => {
      const body = { to: newAddress(), subject: "Ready", html: "<p>Ready</p>" };
      return company.call("POST", "/messaging/:company/email", { body, key });
    };
    const last = await send();
    expect(last.status).toBe(202);
    expect(last.headers.get("X-Messaging-Cap-Remaining")).toBe("0");
    expect(await send()).toMatchObject(refusal(429, "messaging_daily_cap"));
  });

  test("of 0 stops a key's messages", async () => {
    const company = await withLimits({ messaging_daily_cap: 0 });
    expect(Number((await sendEmail(company)).headers.get("Retry-After"))).toBeLessThanOrEqual(DAY_S);
  });
});

test("a replay costs nothing, and 20 at the same time are one message", async () => {
  const company = await withLimits({ messaging_daily_cap: 1 });
  const headers = { "Idempotency-Key": "once" };
  const body = { to: newAddress(), subject: "Ready", html: "<p>Ready</p>" };
  const answers = await times(20, () =>
    company.call<{ id: string }>("POST", "/messaging/:company/email", { body, headers }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await stored(company)).toBe(1);
  expect((await sendEmail(company)).status).toBe(429);
  expect(await readMessage(company, answers[0]?.body.data.id ?? "")).toMatchObject({ status: "sent" });
});
