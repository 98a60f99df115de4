import { describe, expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { newCustomer, newInvoice } from "../commerce.ts";
import { refusal } from "../refusal.ts";
import {
  accepted,
  arrived,
  newAddress,
  newNumber,
  openWith,
  readMessage,
  received,
  reply,
  sendChatapp,
  sendEmail,
  sendSms,
  until,
} from "./provider.ts";

const HOUR = 3_600;
/** A time so many seconds ahead of the company's clock. */
const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const cancel = (company: TestCompany, id: string) =>
  company.call("POST", `/messaging/:company/messages/${id}/cancel`);

const withProviders = () => openWith("msg91", "meta", "resend");

describe("a message with send_at", () => {
  test("is kept until its time, with its channel's first word, and goes out then", async () => {
    const company = await withProviders();
    const [sms, chat, mail] = [newNumber(), newNumber(), newAddress()];
    const send_at = ahead(HOUR);
    const answers = [
      await sendSms(company, { to: sms, send_at }),
      await sendChatapp(company, { to: chat, send_at }),
      await sendEmail(company, { to: mail, send_at }),
    ] as const;
    const ids = answers.map((answer) => accepted(answer as (typeof answers)[0]));
    for (const { body } of answers) expect(body.data).toMatchObject({ send_at });
    for (const [index, status] of ["queued", "sent", "sent"].entries())
      expect(await readMessage(company, ids[index] ?? "")).toMatchObject({ status, send_at, error: null });
    await company.clock(HOUR - 60);
    await company.startSweep();
    await company.clock(HOUR - 50);
    for (const to of [sms, chat, mail]) expect(await received(to)).toEqual([]);
    await company.clock(HOUR + 1);
    for (const to of [sms, chat, mail]) await arrived(to);
    await until(company, ids[0] ?? "", "submitted");
    expect(await company.rows("SELECT id FROM messages WHERE is_scheduled = 1")).toEqual([]);
  });

  test("that is seconds ahead goes out to the second", async () => {
    const company = await withProviders();
    const to = newNumber();
    const sendAt = Date.now() + 4_000;
    accepted(await sendSms(company, { to, send_at: new Date(sendAt).toISOString() }));
    const { at } = await arrived(to);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(sendAt);
    expect(Date.parse(at)).toBeLessThan(sendAt + 15_000);
  });

  test("of the past, or more than 30 days ahead, is 422, and takes no room of the quota", async () => {
    const company = await withProviders();
    const to = newNumber();
    const left = Number((await sendSms(company, { to })).headers.get("X-Messaging-Cap-Remaining"));
    for (const send_at of [ahead(-1), ahead(30 * 86_400 + 60), "2026-11-21", "tomorrow"])
      expect(await sendSms(company, { to, send_at })).toMatchObject(
        refusal(422, "validation_failed", { errors: [{ field: "send_at" }] }),
      );
    const next = await sendSms(company, { to, send_at: ahead(30 * 86_400 - 60) });
    expect(next.status).toBe(202);
    expect(Number(next.headers.get("X-Messaging-Cap-Remaining"))).toBe(left - 1);
  });

  test("is one, however often its call is repeated, also after its time", async () => {
    const company = await withProviders();
    const to = newNumber();
    const body = { to, send_at: ahead(HOUR) };
    const headers = { "Idempotency-Key": "scheduled-1" };
    const first = await sendSms(company, body, headers);
    expect((await sendSms(company, body, headers)).body).toEqual(first.body);
    await company.clock(HOUR + 1);
    await arrived(to);
    expect((await sendSms(company, body, headers)).body).toEqual(first.body);
    expect(await received(to)).toHaveLength(1);
  });

  test("is not sent to a person who opts out before its time", async () => {
    const company = await withProviders();
    const [to, email] = [newNumber(), newAddress()];
    await until(company, accepted(await sendSms(company, { to })), "submitted");
    const sms = accepted(await sendSms(company, { to, send_at: ahead(HOUR) }));
    const mail = accepted(await sendEmail(company, { to: email, send_at: ahead(HOUR) }));
    await reply({ from: to }, "STOP");
    await company.make("/settings/:company/suppressions", { email });
    await company.clock(HOUR + 1);
    expect(await until(company, sms, "rejected")).toMatchObject({ error: { code: "not_opted_in" } });
    expect(await until(company, mail, "failed")).toMatchObject({ error: { code: "suppressed" } });
    expect([(await received(to)).length, (await received(email)).length]).toEqual([1, 0]);
  });

  test("has its 24 hours from then on, and keeps its content until it is sent", async () => {
    const company = await withProviders();
    const to = newNumber();
    const body = { content_days: 1, message_days: 2 };
    await company.change("/settings/:company/messaging-settings", body);
    const id = accepted(await sendSms(company, { to, send_at: ahead(10 * 86_400) }));
    const old = accepted(await sendSms(company));
    await until(company, old, "submitted");
    const content = async () => {
      const sql = "SELECT id, content IS NULL AS gone FROM messages";
      return (await company.rows(sql)).map((row) => [row.id, row.gone]);
    };
    await company.clock(9 * 86_400);
    await company.sweep(async () => (await content()).length === 1);
    expect(await content()).toEqual([[id, 0]]);
    await company.clock(10 * 86_400 + 1);
    await arrived(to);
    await until(company, id, "submitted");
    await company.sweep(async () => (await content()).length === 0);
  });

  test("of an invoice waits too", async () => {
    const company = await withProviders();
    const email = newAddress();
    const invoice = await newInvoice(company, (await newCustomer(company, { email })).id);
    const send_at = ahead(HOUR);
    const path = `/invoices/:company/${invoice.id}/send`;
    expect((await company.call("POST", path, { body: { send_at: ahead(-5) } })).status).toBe(422);
    const sent = must(await company.call<{ id: string }>("POST", path, { body: { send_at } }), 202);
    expect(sent.body.data).toMatchObject({ send_at });
    await company.clock(HOUR - 60);
    expect(await received(email)).toEqual([]);
    await company.clock(HOUR + 1);
    await arrived(email);
  });

  test("does not wait in the backlog, and is not set free by a provider that resumes", async () => {
    const company = await withProviders();
    const to = newNumber();
    accepted(await sendSms(company, { to, send_at: ahead(HOUR) }));
    const [provider] = (
      await company.read<{ id: string; channel: string }[]>("/settings/:company/messaging-providers")
    ).filter(({ channel }) => channel === "sms");
    const path = `/settings/:company/messaging-providers/${provider?.id}`;
    await company.rows("UPDATE messaging_providers SET paused_at = 1, last_error = NULL");
    await company.change(path, { is_active: true });
    const rows = await company.rows("SELECT leased_until FROM message_recipients");
    expect(Number(rows[0]?.leased_until)).toBeGreaterThan(Date.now() + (HOUR - 60) * 1_000);
    await company.clock(HOUR + 1);
    await arrived(to);
  });
});

describe("a message is cancelled", async () => {
  const company = await withProviders();

  test("before its time, once; then it never goes", async () => {
    const to = newAddress();
    const id = accepted(await sendEmail(company, { to: [to, newAddress()], send_at: ahead(HOUR) }));
    const done = must(await cancel(company, id), 200);
    expect(done.body.data).toMatchObject({ id, status: "failed", error: { code: "cancelled" } });
    expect(await cancel(company, id)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
    await company.clock(HOUR + 1);
    await company.startSweep();
    const after = newAddress();
    accepted(await sendEmail(company, { to: after }));
    await arrived(after);
    expect(await received(to)).toEqual([]);
    await company.clock(0);
  });

  test("while its provider is paused too, and not once its provider was asked", async () => {
    const id = accepted(await sendSms(company));
    await until(company, id, "submitted");
    expect(await cancel(company, id)).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  });

  test("and its key's cap of the day has room again, of an earlier day it has not", async () => {
    const own = await withProviders();
    const remaining = async () => Number((await sendSms(own)).headers.get("X-Messaging-Cap-Remaining"));
    const mail = { to: [newAddress(), newAddress(), newAddress()], send_at: ahead(20 * 86_400) };
    const before = await remaining();
    const [one, other] = [accepted(await sendEmail(own, mail)), accepted(await sendEmail(own, mail))];
    expect(await remaining()).toBe(before - 7);
    must(await cancel(own, one), 200);
    expect(await remaining()).toBe(before - 5);
    await own.clock(2 * 86_400);
    const next = await remaining();
    must(await cancel(own, other), 200);
    expect(await remaining()).toBe(next - 1);
    await own.clock(0);
    expect(await remaining()).toBe(before - 6);
  });

  test("or taken up: of twenty at the same moment, each is either", async () => {
    const own = await withProviders();
    await own.raiseLimit();
    const to = Array.from({ length: 20 }, () => newNumber());
    const ids: string[] = [];
    for (const number of to) ids.push(accepted(await sendSms(own, { to: number, send_at: ahead(HOUR) })));
    await own.clock(HOUR + 1);
    const answers = await Promise.all(ids.map((id) => cancel(own, id)));
    for (const [index, { status }] of answers.entries()) {
      const message = () => readMessage(own, ids[index] ?? "");
      if (status === 200)
        expect(await message()).toMatchObject({ status: "failed", error: { code: "cancelled" } });
      else await expect.poll(async () => (await message()).status).toBe("submitted");
      expect(await received(to[index] ?? "")).toHaveLength(status === 200 ? 0 : 1);
    }
  });
});
