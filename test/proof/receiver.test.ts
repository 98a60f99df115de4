import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";
import { must, type TestCompany } from "../support/company.ts";
import { type Service, startService } from "../support/service.ts";
import { Load } from "./load.ts";

// A receiver as an integrator would write it: a plain server with the verifier of Standard Webhooks, that fails one request
// in five. `npm run soak` has a few hundred events, `npm run proof -- receiver` ten thousand.
const EVENTS = Number(process.env.PROOF_EVENTS ?? 200);
const KILLS = Number(process.env.PROOF_KILLS ?? 1);
const SEED = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);
// The writes of one company go in one line.
const COMPANIES = Math.max(1, Math.min(8, Math.floor(EVENTS / 100)));
const CLIENTS = 4;
const FAILING = 0.2;
const DAY_S = 86_400;
const QUIET_MS = 3_000;
const AFTER_KILL_MS = 90_000;
const PATIENT = { timeout: 300_000 + EVENTS * 150 };
const SENT = "SELECT count(DISTINCT sequence) AS n FROM event_deliveries";
const OPEN = "SELECT count(*) AS n FROM event_deliveries WHERE state NOT IN ('delivered')";

const DUE = `SELECT (SELECT count(*) FROM notifications WHERE state = 'due' AND due_at <= unixepoch() * 1000)
  + (SELECT count(*) FROM message_recipients WHERE dispatch_state IN ('pending', 'dispatching')) AS n`;
// A new company's rules are on by e-mail alone.
const UNNOTIFIED = `SELECT count(*) AS n FROM events JOIN notification_rules AS rules ON event = type AND email = 1
  WHERE is_hourly = 0 AND NOT EXISTS (SELECT 1 FROM notifications
    WHERE rule = rules.rule AND record_id = events.record_id AND sequence = events.sequence)`;
const MAILS = `SELECT message_recipients.address, count(*) AS n FROM notifications JOIN messages ON messages.id = notifications.message_id
  JOIN message_recipients ON message_recipients.message_id = messages.id WHERE recipient = 'customer' GROUP BY message_recipients.address`;

const random = seededRandom(SEED);
const taken = new Map<string, { type: string; sequence: number; data: { id: unknown } }>();
const forged: string[] = [];
const webhooks = new Map<string, Webhook>();
let [requests, failed] = [0, 0];
let isFailing = true;
let server: Server;
let address: string;
let service: Service;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    requests += 1;
    try {
      const event = webhooks.get(request.url ?? "")?.verify(body, request.headers as Record<string, string>);
      const id = String(request.headers["webhook-id"]);
      const isRefused = isFailing && random() < FAILING;
      if (isRefused) failed += 1;
      else taken.set(id, event as never);
      response.writeHead(isRefused ? 500 : 204).end();
    } catch (error) {
      forged.push(`${error}`);
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const variables = { SANDBOX_RECEIVER: address };
  service = await startService(inject("service").bundle, [], { variables });
});
afterAll(async () => {
  await service.stop();
  server.close();
  server.closeAllConnections();
});

/** Has all events of a company sent to the receiver. */
async function connect(company: TestCompany): Promise<void> {
  const body = { url: address + company.slug, types: ["*"] };
  const path = "/settings/:company/event-endpoints";
  const made = must(await company.call<{ secret: string }>("POST", path, { body }), 201);
  webhooks.set(`/${company.slug}`, new Webhook(made.body.data.secret));
}

async function count(company: TestCompany, sql: string): Promise<number> {
  return Number((await company.database().execute(sql)).rows[0]?.n);
}

/** Checks that the receiver took each event that was to be sent to it, with the record that it reports. */
async function expectTaken(company: TestCompany): Promise<void> {
  const { rows } = await company
    .database()
    .execute(
      "SELECT id, type, sequence FROM events WHERE sequence IN (SELECT sequence FROM event_deliveries)",
    );
  for (const { id, type, sequence } of rows)
    expect(taken.get(String(id))).toMatchObject({ id, type, sequence, data: { id: expect.anything() } });
  expect(forged).toEqual([]);
}

/** Checks that what the events are to send was sent once: an entry for each, a message for each entry, one arrival for each message. */
async function expectNotified(company: TestCompany): Promise<void> {
  expect(await count(company, UNNOTIFIED)).toBe(0);
  const { rows } = await company.database().execute(MAILS);
  expect(rows.length).toBeGreaterThan(0);
  for (const { address, n } of rows) {
    const response = await fetch(`${service.messagesUrl}/messages?to=${address}`);
    expect(((await response.json()) as { data: unknown[] }).data, String(address)).toHaveLength(Number(n));
  }
}

/** Waits until nothing came for a while. */
async function untilQuiet(): Promise<void> {
  for (let before = -1; before < requests; ) {
    before = requests;
    await sleep(QUIET_MS);
  }
}

test(
  `of ${EVENTS} events of a mixed load each reaches a receiver that fails one in five, and each is signed`,
  PATIENT,
  async () => {
    const loads = await Promise.all(
      Array.from({ length: COMPANIES }, (_, index) => Load.begin(service, SEED + index)),
    );
    const companies = loads.map(({ company }) => company);
    const inAll = async (sql: string) =>
      (await Promise.all(companies.map((company) => count(company, sql)))).reduce((sum, n) => sum + n, 0);
    await Promise.all(companies.map(connect));
    const each = Math.ceil(EVENTS / COMPANIES);
    await Promise.all(
      loads.map((load) => load.run(CLIENTS, async () => (await count(load.company, SENT)) >= each)),
    );
    // What is tried again in minutes or hours is due at once, a day on.
    for (let day = 1; (await inAll(OPEN)) > 0; day += 1) {
      await untilQuiet();
      await Promise.all(companies.map((company) => company.clock(day * DAY_S)));
    }
    for (const company of companies) await expectTaken(company);
    expect(taken.size).toBe(await inAll(SENT));
    expect(taken.size).toBeGreaterThanOrEqual(EVENTS);
    expect(loads.flatMap(({ strange }) => strange)).toEqual([]);
    process.stdout.write(
      `\nSeed ${SEED}: ${taken.size} events, ${requests} requests, ${failed} of them failed\n`,
    );
  },
);

test(`after ${KILLS} kills of the Worker under load each event reaches the receiver and each notification its customer within 90 seconds, once`, {
  timeout: 120_000 + AFTER_KILL_MS + KILLS * 10_000,
}, async () => {
  isFailing = false;
  const load = await Load.begin(service, SEED + COMPANIES);
  await connect(load.company);
  let kills = 0;
  const ended = load.run(CLIENTS, async () => kills === KILLS);
  for (; kills < KILLS; kills += 1) {
    const before = load.ended.size;
    await sleep(random() * 1_000);
    await service.crash();
    await expect.poll(() => load.ended.size, { timeout: 30_000 }).toBeGreaterThan(before + CLIENTS);
  }
  await ended;
  await expect.poll(() => count(load.company, OPEN), { timeout: AFTER_KILL_MS, interval: 500 }).toBe(0);
  await expectTaken(load.company);
  await expect.poll(() => count(load.company, DUE), { timeout: AFTER_KILL_MS, interval: 500 }).toBe(0);
  await expectNotified(load.company);
  expect(load.strange).toEqual([]);
});
