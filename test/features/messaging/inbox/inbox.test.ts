import { describe, expect, inject, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../../support/company.ts";
import { send } from "../../../support/http.ts";
import { pagesOf } from "../../../support/pages.ts";
import { bodyOf, numberOf, post, SECONDS, sent } from "../callbacks/chatapp-callback.ts";
import { accepted, arrived, connect, newNumber, reply, sendSms, until } from "../provider.ts";

type Inbound = {
  id: string;
  channel: string;
  from: string;
  text: string | null;
  read_at: string | null;
  provider_message_id: string | null;
};
const INBOX = "/messaging/:company/inbound";

const listed = (company: TestCompany, query = "") => company.read<Inbound[]>(INBOX + query);
const pathOf = (url: string) => url.slice(inject("service").url.length);

describe("what a person writes", async () => {
  const company = await openCompany();

  test.each(["msg91", "exotel", "twilio", "http-sms"] as const)(
    "by SMS is in the inbox, as %s sends it",
    async (kind) => {
      await connect(company, kind, { is_default: true });
      const to = newNumber();
      await until(company, accepted(await sendSms(company, { to, sender_id: "DEMOTR" })), "submitted");
      const message = await arrived(to);
      expect(await reply(message, "Is it ready? ₹5")).toBe(200);
      const [one, ...others] = await listed(company, `?from=%2B${to}`);
      expect(others).toEqual([]);
      expect(one).toMatchObject({
        channel: "sms",
        from: to,
        from_e164: `+${to}`,
        type: "text",
        text: "Is it ready? ₹5",
        read_at: null,
      });
      expect(one?.provider_message_id === null).toBe(kind === "msg91");
    },
  );

  test("in the chat-app names the message that it answers, and the customer by phone", async () => {
    await connect(company, "meta");
    const { id, wamid } = await sent(company);
    const { to } = await company.read<{ to: string }>(`/messaging/:company/messages/${id}`);
    const body = { name: "Meera", phone: `0${to.slice(2)}`, state: "Kerala", pincode: "682001" };
    const customer = must(await company.call<{ id: string }>("POST", "/customers/:company", { body }), 201);
    expect(await reply({ id: wamid }, "Thank you")).toBe(200);
    const [one] = await listed(company);
    expect(one).toMatchObject({
      channel: "chatapp",
      from: to,
      to: "15550001111",
      text: "Thank you",
      reply_to_message_id: id,
      customer_id: String(customer.body.data.id),
      sent_at: expect.any(String),
    });
  });

  test("that comes ten times at once is stored once, with an id of its provider or without", async () => {
    const [http, msg91] = [await connect(company, "http-sms"), await connect(company, "msg91")];
    const known = { id: "in-1", from: newNumber(), text: "Hello" };
    const unknown = { sender: newNumber(), receiver: "56070", message: "Hello" };
    const all = Array.from({ length: 10 }).flatMap(() => [
      send("POST", pathOf(http.callback_url), { body: known }),
      send("POST", pathOf(msg91.callback_url), { body: unknown }),
    ]);
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
    for (const from of [known.from, unknown.sender])
      expect((await listed(company, `?from=%2B${from}`)).map(({ text }) => text)).toEqual(["Hello"]);
  });

  test("is no longer than a text may be, and without what no database holds", async () => {
    const { callback_url } = await connect(company, "http-sms");
    const body = { from: newNumber(), text: `\0\ud800${"😀".repeat(5_000)}` };
    expect((await send("POST", pathOf(callback_url), { body })).status).toBe(200);
    const [one] = await listed(company);
    expect([...(one?.text ?? "")]).toHaveLength(4_096);
  });

  describe("in the chat-app", async () => {
    const number = numberOf(await connect(company, "meta"));

    test.each<[string, object, object]>([
      [
        "image",
        { image: { id: "1", caption: "My licence", mime_type: "image/jpeg" } },
        { text: "My licence", media_type: "image/jpeg" },
      ],
      [
        "audio",
        { audio: { id: "1", mime_type: "audio/ogg; codecs=opus", voice: true } },
        { text: null, media_type: "audio/ogg; codecs=opus" },
      ],
      ["reaction", { reaction: { message_id: "wamid.x", emoji: "👍" } }, { text: "👍" }],
      ["button", { button: { payload: "yes", text: "Yes" } }, { text: "Yes" }],
      [
        "interactive",
        { interactive: { type: "list_reply", list_reply: { id: "1", title: "Monday" } } },
        { text: "Monday" },
      ],
      ["location", { location: { latitude: 1, longitude: 2 } }, { text: null }],
      ["other", { type: "unsupported", errors: [{ code: 131051 }] }, { text: null }],
    ])("as %s is shown by its type", async (type, content, expected) => {
      const from = newNumber();
      const message = { from, id: `wamid.${type}`, timestamp: String(SECONDS), type, ...content };
      await post(bodyOf({ number, messages: [message] }));
      expect(await listed(company, `?from=%2B${from}`)).toMatchObject([{ type, ...expected }]);
    });
  });
});

describe("the inbox", async () => {
  const numbers = [newNumber(), newNumber()] as const;
  const company = await openCompany();
  const sms = await connect(company, "http-sms");
  const chatapp = await connect(company, "meta");
  for (const [index, from] of [...numbers, numbers[0]].entries())
    await send("POST", pathOf(sms.callback_url), {
      body: { id: `in-${index}`, from, text: `SMS ${index}` },
    });
  const message = { from: numbers[0], id: "wamid.1", timestamp: String(SECONDS), text: { body: "Chat" } };
  await post(bodyOf({ number: numberOf(chatapp), messages: [message] }));

  test("is listed newest first, by pages and by its filters", async () => {
    const texts = async (query: string) => (await listed(company, query)).map(({ text }) => text);
    expect(await texts("")).toEqual(["Chat", "SMS 2", "SMS 1", "SMS 0"]);
    expect(await texts("?channel=sms")).toEqual(["SMS 2", "SMS 1", "SMS 0"]);
    const national = `0${numbers[0].slice(2)}`;
    expect(await texts(`?from=${national}`)).toEqual(["Chat", "SMS 2", "SMS 0"]);
    expect(await texts(`?from=%2B${numbers[1]}&channel=sms`)).toEqual(["SMS 1"]);
    expect(await texts("?created_to=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await texts("?created_from=2020-01-01T00:00:00Z&unread=true")).toHaveLength(4);
    const [, rest] = await pagesOf<Inbound>(company, INBOX, { limit: "3" });
    expect(rest?.map(({ text }) => text)).toEqual(["SMS 0"]);
  });

  test("is marked as read and unread, by keys with messages:write", async () => {
    const [one] = await listed(company, "?channel=chatapp");
    const path = `${INBOX}/${one?.id}`;
    const key = await company.key("messages:write");
    const marked = must(await company.call<Inbound>("PATCH", path, { body: { read: true }, key }), 200);
    const { read_at } = marked.body.data;
    expect(read_at).not.toBeNull();
    await company.change(path, { read: true });
    expect(await company.read<Inbound>(path)).toMatchObject({
      id: one?.id,
      read_at,
    });
    expect((await listed(company, "?unread=true")).map(({ id }) => id)).not.toContain(one?.id);
    expect((await listed(company, "?unread=false")).map(({ id }) => id)).toEqual([one?.id]);
    await company.change(path, { read: false });
    expect(await listed(company, "?unread=true")).toHaveLength(4);
  });
});

test("what people wrote loses its words after content_days, and is forgotten after message_days", async () => {
  const company = await openCompany();
  const { callback_url } = await connect(company, "http-sms");
  const tell = (id: string) =>
    send("POST", pathOf(callback_url), { body: { id, from: newNumber(), text: `Text of ${id}` } });
  const days = async (count: number) => company.clock(count * 86_400);
  await days(-40);
  await tell("old");
  await days(-10);
  await tell("late");
  await days(0);
  await tell("new");
  await company.change("/settings/:company/messaging-settings", { content_days: 5, message_days: 20 });
  await company.sweep(async () => (await listed(company)).length === 2);
  expect((await listed(company)).map(({ text }) => text)).toEqual(["Text of new", null]);
});
