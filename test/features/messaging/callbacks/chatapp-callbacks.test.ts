import { describe, expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../../support/company.ts";
import { announce, send } from "../../../support/http.ts";
import { CHATAPP_APP_SECRET } from "../../../support/service.ts";
import { connect, newNumber, readMessage, sendChatapp } from "../provider.ts";
import { bodyOf, CALLBACK, numberOf, post, SECONDS, sent, unmatched } from "./chatapp-callback.ts";

const company = await openCompany();
const provider = await connect(company, "meta");
const number = numberOf(provider);
const secret = String(provider.config.app_secret);

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

const ERRORS = [
  { code: 131047, title: "Re-engagement message", error_data: { details: "More than 24 hours" } },
];

describe("the chat-app's callback", () => {
  test("in all 120 orders of sent, delivered, read, delivered and failed ends read, as of the earliest times", async () => {
    const words = ["sent", "delivered", "read", "delivered", "failed"];
    const orders = permutations(
      words.map((status, index) => ({ status, timestamp: String(SECONDS + index) })),
    );
    expect(orders).toHaveLength(120);
    const ids = await insertMessages(company, orders.length);
    for (let step = 0; step < words.length; step += 1) {
      const statuses = orders.map((order, index) => ({
        id: `wamid.${ids[index]}`,
        status: "",
        ...order[step],
        ...(order[step]?.status === "failed" ? { errors: ERRORS } : {}),
      }));
      expect((await post(bodyOf({ number, statuses }))).status).toBe(200);
    }
    const times = {
      delivered_at: wire(SECONDS + 1),
      read_at: wire(SECONDS + 2),
      failed_at: null,
      error: null,
    };
    for (const id of ids) expect(await readMessage(company, id)).toMatchObject({ status: "read", ...times });
  });

  test.each([
    [["failed"], { status: "failed", error: { code: "outside_window", provider_code: "131047" } }],
    [["failed", "delivered"], { status: "delivered", error: null, failed_at: null }],
    [["delivered", "failed"], { status: "delivered", error: null, failed_at: null }],
    [["failed", "sent"], { status: "failed" }],
    [["played"], { status: "read" }],
    [["read", "read", "read"], { status: "read", read_at: wire(SECONDS) }],
  ])("of %j in one body or apart makes %j", async (words, expected) => {
    const [one = "", other = ""] = await insertMessages(company, 2);
    const status = (id: string, word: string) => ({
      id: `wamid.${id}`,
      status: word,
      ...(word === "failed" ? { errors: ERRORS } : {}),
    });
    await post(bodyOf({ number, statuses: words.map((word) => status(one, word)) }));
    for (const word of words) await post(bodyOf({ number, statuses: [status(other, word)] }));
    for (const id of [one, other]) expect(await readMessage(company, id)).toMatchObject(expected);
  });

  test("sent again, changes nothing", async () => {
    const [id = ""] = await insertMessages(company, 1);
    const body = bodyOf({ number, statuses: [{ id: `wamid.${id}`, status: "failed", errors: ERRORS }] });
    await post(body);
    const before = await dump(company);
    for (let again = 0; again < 3; again += 1) expect((await post(body)).status).toBe(200);
    expect(await dump(company)).toEqual(before);
  });

  test("with a flipped byte, a wrong secret, or no signature is 401, and writes nothing", async () => {
    const [id = ""] = await insertMessages(company, 1);
    const before = await dump(company);
    const body = bodyOf({ number, statuses: [{ id: `wamid.${id}`, status: "read" }] });
    const flipped = body.replace('"read"', '"reae"');
    const refused = [
      await post(flipped, CHATAPP_APP_SECRET, body),
      await post(body, "wrong"),
      await post(body, ""),
      await send("POST", CALLBACK, { body }),
      await send("POST", CALLBACK, { body, headers: { "X-Hub-Signature-256": "sha256=00" } }),
    ];
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 401, body: { code: "invalid_signature" } });
    expect(await dump(company)).toEqual(before);
  });

  test("of another kind, or malformed but signed, is 200 and ignored; one too large is 413", async () => {
    const before = await dump(company);
    for (const body of [
      "{",
      "[]",
      "null",
      '{"object":"page"}',
      bodyOf({ number: "1", statuses: [{ id: "x", status: "read" }] }),
    ])
      expect(await post(body)).toMatchObject({ status: 200, text: '{"received":true}' });
    const odd = bodyOf({ number, statuses: [{ id: "x", status: "exploded" }] }).replace(
      '"messages"',
      '"other"',
    );
    expect((await post(odd)).status).toBe(200);
    expect(await dump(company)).toEqual(before);
    expect((await announce(3 * 1024 * 1024 + 1, CALLBACK)).status).toBe(413);
  });

  test("that comes before the provider's answer is applied when the answer comes", async () => {
    const { wamid, reference } = await sent(company);
    const late = { id: "wamid.late", status: "delivered", data: reference };
    expect(await post(bodyOf({ number, statuses: [late] }))).toMatchObject({ status: 200 });
    expect(await readMessage(company, wamid)).toMatchObject({ status: "delivered" });
    // A receipt of an unknown id is kept.
    await post(bodyOf({ number, statuses: [{ id: "wamid.quarantined", status: "read" }] }));
    expect(await unmatched(company, "wamid.quarantined")).toBe(1);
  });

  test("is answered with its challenge, for the token agreed on only", async () => {
    const verify = (token: string, mode = "subscribe") =>
      send("GET", `${CALLBACK}?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=1158201444`);
    const answer = await verify("test-verify-token");
    expect([answer.status, answer.text]).toEqual([200, "1158201444"]);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/);
    for (const refused of [
      await verify("wrong"),
      await verify(""),
      await verify("test-verify-token", "other"),
    ])
      expect(refused.status).toBe(403);
  });
});

test("a company's own app secret speaks for that company, and for no other", async () => {
  const other = await openCompany();
  const otherNumber = numberOf(await connect(other, "meta"));
  const [mine, theirs] = [await sent(company), await sent(other)];

  const own = bodyOf({ number, statuses: [{ id: mine.wamid, status: "delivered", data: mine.reference }] });
  expect((await post(own, secret)).status).toBe(200);
  expect(await readMessage(company, mine.id)).toMatchObject({ status: "delivered" });

  // Whom the body names is what counts.
  const forged = bodyOf({
    number,
    statuses: [{ id: theirs.wamid, status: "read", data: theirs.reference }],
  });
  expect((await post(forged, secret)).status).toBe(200);
  const second = bodyOf(
    { number, statuses: [{ id: mine.wamid, status: "read" }] },
    { number: otherNumber, statuses: [{ id: theirs.wamid, status: "read" }] },
  );
  expect((await post(second, secret)).status).toBe(200);
  expect(await readMessage(other, theirs.id)).toMatchObject({ status: "sent" });
  expect(await readMessage(company, mine.id)).toMatchObject({ status: "read" });

  // The platform's secret may name both.
  expect((await post(second)).status).toBe(200);
  expect(await readMessage(other, theirs.id)).toMatchObject({ status: "read" });
});

test("a person who writes anything else opens the window for free text, and a closed one is warned of", async () => {
  const own = await openCompany();
  const ownNumber = numberOf(await connect(own, "meta"));
  const from = newNumber();
  const now = String(Math.floor(Date.now() / 1_000));
  const text = { type: "text", text: { body: "Hello" } };
  await post(
    bodyOf({
      number: ownNumber,
      messages: [{ from, type: "text", timestamp: now, text: { body: "stop it" } }],
    }),
  );
  expect((await sendChatapp(own, { to: from, ...text })).body.data).not.toHaveProperty("warnings");
  await own.clock(24 * 3_600 + 1);
  expect((await sendChatapp(own, { to: from, ...text })).body.data).toMatchObject({
    warnings: ["outside_window"],
  });
  expect((await sendChatapp(own, { to: newNumber(), ...text })).body.data).not.toHaveProperty("warnings");
});

function wire(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

/** Messages that their provider has, put straight into the database; their provider's ids are `wamid.<id>`. */
async function insertMessages(of: TestCompany, count: number): Promise<string[]> {
  const ids = Array.from(
    { length: count },
    () => `msg_${crypto.randomUUID().replaceAll("-", "").slice(0, 26).toUpperCase()}`,
  );
  await of.database().batch(
    ids.flatMap((id) => [
      {
        sql: "INSERT INTO messages (id, channel, status, details, created_at) VALUES (?, 'chatapp', 'sent', '{}', 1)",
        args: [id],
      },
      {
        sql: `INSERT INTO message_recipients (message_id, ordinal, address, status, provider, provider_message_id, dispatch_state, leased_until)
          VALUES (?, 0, '919845012345', 'sent', 'meta', ?, 'dispatched', 0)`,
        args: [id, `wamid.${id}`],
      },
    ]),
    "write",
  );
  return ids;
}

async function dump(of: TestCompany): Promise<unknown> {
  const events =
    "SELECT count(*) FROM provider_events_unmatched WHERE provider_message_id NOT LIKE 'wamid.%'";
  return [await of.rows("SELECT * FROM message_recipients ORDER BY id"), await of.rows(events)];
}
