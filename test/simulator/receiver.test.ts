import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { newCustomer } from "../features/commerce.ts";
import { ENDPOINTS, endpointOf, type Issued } from "../features/events/endpoints.ts";
import { times } from "../features/money.ts";
import { openBusy, type TestCompany } from "../support/company.ts";
import { serveOwn } from "../support/own-server.ts";
import { ownService } from "../support/own-service.ts";
import { Draw, SEED } from "./draw.ts";
import { killNowAndThen } from "./faults.ts";
import { TRADE, Trade } from "./trade.ts";

// With the verifier of Standard Webhooks. CI has a few hundred events and seconds of a steady rate, `npm run proof --
// receiver` ten thousand and five minutes.
const EVENTS = Number(process.env.PROOF_EVENTS ?? 200);
const KILLS = Number(process.env.PROOF_KILLS ?? 1);
// The writes of one company go in one line.
const COMPANIES = Math.max(1, Math.min(8, Math.floor(EVENTS / 100)));
const CLIENTS = 4;
const FAILING = 0.2;
const DAY_S = 86_400;
const QUIET_MS = 3_000;
const SOON = { timeout: 90_000, interval: 500 };
const PATIENT = { timeout: 300_000 + EVENTS * 150 };
const SENT = "(SELECT count(DISTINCT sequence) AS amount FROM event_deliveries)";
const OPEN = "(SELECT count(*) AS amount FROM event_deliveries WHERE state NOT IN ('delivered'))";
const DUE = `(SELECT (SELECT count(*) FROM notifications WHERE state = 'due' AND due_at <= unixepoch() * 1000)
  + (SELECT count(*) FROM message_recipients WHERE dispatch_state IN ('pending', 'dispatching')) AS amount)`;
// A new company's rules are on by e-mail alone. A payment that a void removes moves no money: no refund is reported.
const UNNOTIFIED = `SELECT events.id FROM events JOIN notification_rules AS rules ON event = type AND email = 1
  WHERE is_hourly = 0 AND NOT EXISTS (SELECT 1 FROM notifications
    WHERE rule = rules.rule AND record_id = events.record_id AND sequence = events.sequence)
  AND NOT (rule = 'refund_made' AND (SELECT invoices.status FROM payments JOIN invoices ON invoices.id = invoice_id
    WHERE payments.id = events.record_id) = 'voided')`;
const MAILS = `SELECT message_recipients.address, count(*) AS n FROM notifications JOIN messages ON messages.id = notifications.message_id
  JOIN message_recipients ON message_recipients.message_id = messages.id WHERE recipient = 'customer' GROUP BY message_recipients.address`;
const EVENTS_SENT =
  "SELECT id, type, sequence FROM events WHERE sequence IN (SELECT sequence FROM event_deliveries)";

const SECONDS = Number(process.env.PROOF_SECONDS ?? 10);
const RATE = Number(process.env.PROOF_RATE ?? 50);
const FAILING_AT_RATE = 0.25;
const LATEST_MS = 30_000;
// Ten calls a second change a record, and each leaves the events of several: it is the deliveries that are measured.
const CALLS = 10;
// By how much the oldest is late of which the time has come; what is on its own backoff has its time ahead.
const LATE = `SELECT max(0, coalesce(max(unixepoch('subsec') * 1000 - max(coalesce(at, 0), due_at)), 0)) AS late, count(*) AS open
  FROM event_deliveries JOIN events USING (sequence) WHERE state IN ('pending', 'sending', 'held')`;

// The last event as often again, as if calls had made each.
const AGAIN = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO events (type, resource, record_id, snapshot) SELECT type, resource, record_id, snapshot
  FROM n JOIN (SELECT * FROM events WHERE request_id IS NOT NULL ORDER BY sequence DESC LIMIT 1)`;
const STAMP = `UPDATE events SET at = CAST(unixepoch('subsec') * 1000 AS INTEGER), (request_id, shape) = (
    SELECT request_id, shape FROM events WHERE request_id IS NOT NULL ORDER BY sequence DESC LIMIT 1
  ) WHERE request_id IS NULL`;

type Got = { path: string; headers: IncomingHttpHeaders; body: string; at: number; isTaken: boolean };

const draw = new Draw(SEED);
const got: Got[] = [];
let failing = FAILING;
// A plain server, as an integrator would write it, that fails a share of its requests, and a service that sends to it.
const { url, stop } = await serveOwn(async (request, response) => {
  const { headers, url: path = "" } = request;
  const isTaken = draw.share() >= failing;
  got.push({ path, headers, body: await text(request), at: Date.now(), isTaken });
  response.writeHead(isTaken ? 204 : 500).end();
});
afterAll(stop);
const service = await ownService([], { variables: { SANDBOX_RECEIVER: `${url}/` } });

/** Has events of a company sent to the receiver. */
const connect = (company: TestCompany, types = ["*"]) =>
  company.make<Issued>(ENDPOINTS, { url: `${url}/${company.slug}`, types });
/** How many requests it failed. */
const failed = () => got.filter(({ isTaken }) => !isTaken).length;

/** Checks that the receiver took each event that was to be sent to it, signed, with the record that it reports. */
async function expectTaken(trade: Trade, secret: string): Promise<number> {
  const webhook = new Webhook(secret);
  const taken = new Map<unknown, unknown>();
  for (const { path, headers, body, isTaken } of got) {
    if (path !== `/${trade.company.slug}`) continue;
    const event = webhook.verify(body, headers as Record<string, string>);
    if (isTaken) taken.set(headers["webhook-id"], event);
  }
  const sent = await trade.rows(EVENTS_SENT);
  for (const event of sent)
    expect(taken.get(event.id)).toMatchObject({ ...event, data: { id: expect.anything() } });
  expect(taken.size).toBe(sent.length);
  expect(trade.strange).toEqual([]);
  return taken.size;
}

/** Checks that what the events are to send was sent once: an entry for each, a message for each entry, one arrival for each message. */
async function expectNotified(trade: Trade): Promise<void> {
  // A job that a kill cut off runs again within a minute and a half.
  await expect.poll(() => trade.rows(UNNOTIFIED), { timeout: 90_000, interval: 500 }).toEqual([]);
  await expect.poll(() => trade.sum(DUE), SOON).toBe(0);
  const mails = await trade.rows(MAILS);
  expect(mails.length).toBeGreaterThan(0);
  for (const { address, n } of mails) {
    const response = await fetch(`${service.messagesUrl}/messages?to=${address}`);
    expect(((await response.json()) as { data: unknown[] }).data, String(address)).toHaveLength(Number(n));
  }
}

/** Waits until nothing came for a while. */
async function untilQuiet(): Promise<void> {
  for (let before = -1; before < got.length; ) {
    before = got.length;
    await sleep(QUIET_MS);
  }
}

test(
  `of ${EVENTS} events of a mixed load each reaches a receiver that fails one in five, and each is signed (seed ${SEED})`,
  PATIENT,
  async () => {
    const trades = await times(COMPANIES, (index) => Trade.begin(service, SEED + index));
    const endpoints = await Promise.all(trades.map(({ company }) => connect(company)));
    const each = Math.ceil(EVENTS / COMPANIES);
    await Promise.all(
      trades.map((trade) => trade.inLanes(TRADE, CLIENTS, async () => (await trade.sum(SENT)) >= each)),
    );
    // What is tried again in minutes or hours is due at once, a day on.
    const open = async () => (await Promise.all(trades.map((trade) => trade.sum(OPEN)))).some((n) => n > 0);
    for (let day = 1; await open(); day += 1) {
      await untilQuiet();
      await Promise.all(trades.map(({ company }) => company.clock(day * DAY_S)));
    }
    let taken = 0;
    for (const [index, trade] of trades.entries())
      taken += await expectTaken(trade, String(endpoints[index]?.secret));
    expect(taken).toBeGreaterThanOrEqual(EVENTS);
    process.stdout.write(`\nSeed ${SEED}: ${taken} events, ${failed()} of ${got.length} requests failed\n`);
  },
);

test(`after ${KILLS} kills of the Worker under load each event reaches the receiver and each notification its customer within 90 seconds, once`, {
  timeout: 120_000 + SOON.timeout + KILLS * 10_000,
}, async () => {
  failing = 0;
  const trade = await Trade.begin(service, SEED + COMPANIES);
  const { secret } = await connect(trade.company);
  const done = () => trade.ended.length;
  const kills = { kills: KILLS, every: 5 * CLIENTS, done, parts: ["Worker"] as const };
  await trade.inLanesWhile(TRADE, CLIENTS, killNowAndThen(service, kills));
  await expect.poll(() => trade.sum(OPEN), SOON).toBe(0);
  await expectTaken(trade, secret);
  await expectNotified(trade);
});

/** Has events come at the rate, whatever each call takes; gives how many there were. */
async function comeSteadily(company: TestCompany, id: string): Promise<number> {
  const beganAt = Date.now();
  const calls: Promise<unknown>[] = [];
  while (Date.now() - beganAt < SECONDS * 1_000) {
    await company.database().batch([{ sql: AGAIN, args: [RATE / CALLS - 1] }, STAMP], "write");
    calls.push(company.change(`/customers/:company/${id}`, { notes: `Change ${calls.length}` }));
    await sleep(Math.max(0, beganAt + (calls.length * 1_000) / CALLS - Date.now()));
  }
  await Promise.all(calls);
  return calls.length * (RATE / CALLS);
}

test(`of ${RATE} events a second for ${SECONDS} seconds, to a receiver that fails one in four, none but what is on its own backoff is 30 seconds late`, {
  timeout: 180_000 + SECONDS * 2_000,
}, async () => {
  failing = FAILING_AT_RATE;
  got.length = 0;
  const company = await openBusy({}, service.address);
  const customer = await newCustomer(company);
  const { id } = await connect(company, ["customer.*"]);
  const lateness = async () => {
    const [row] = await company.rows(LATE);
    return { late: Number(row?.late), open: Number(row?.open) };
  };
  let isOver = false;
  const coming = comeSteadily(company, customer.id).finally(() => {
    isOver = true;
  });
  let [latest, mostOpen, seenFailing] = [0, 0, 0];
  while (!isOver) {
    const { late, open } = await lateness();
    latest = Math.max(latest, late);
    mostOpen = Math.max(mostOpen, open);
    if ((await endpointOf(company, id)).state !== "ok") seenFailing += 1;
    await sleep(500);
  }
  const events = await coming;
  await expect.poll(() => lateness().then(({ late }) => late), { timeout: LATEST_MS }).toBe(0);
  const first = new Map<unknown, number>();
  for (const { headers, body, at } of got.toReversed())
    first.set(headers["webhook-id"], at - Date.parse(JSON.parse(body).created_at));
  const sorted = [...first.values()].toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  process.stdout.write(
    `\nSeed ${SEED}: ${events} events, ${failed()} of ${got.length} requests failed; ` +
      `first attempt after ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (most); at most ${latest.toFixed(0)} ms late, ` +
      `${mostOpen} open at once, ${(await lateness()).open} on their own backoff in the end; seen failing ${seenFailing} times\n`,
  );
  expect(first.size).toBe(events);
  expect(latest).toBeLessThan(LATEST_MS);
});
