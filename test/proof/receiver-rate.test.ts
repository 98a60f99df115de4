import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";
import { newCustomer } from "../features/commerce.ts";
import { endpointOf } from "../features/events/endpoints.ts";
import { must, openCompany, type TestCompany } from "../support/company.ts";
import { addressOf, type Service, startService } from "../support/service.ts";

// A receiver that fails one request in four, while events come for it at a steady rate: it takes more than comes, so
// nothing but what waits for its own next attempt may be late. Ten calls a second change a record, and each leaves the
// events of several, for it is the deliveries that are measured. `npm run soak` has seconds of it, `npm run proof --
// receiver-rate` five minutes.
const SECONDS = Number(process.env.PROOF_SECONDS ?? 10);
const RATE = Number(process.env.PROOF_RATE ?? 50);
const SEED = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);
const FAILING = 0.25;
const LATEST_MS = 30_000;
const CALLS = 10;
const PATIENT = { timeout: 180_000 + SECONDS * 2_000 };
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

const random = seededRandom(SEED);
const firstAfter: number[] = [];
const seen = new Set<string>();
let [requests, failed] = [0, 0];
let server: Server;
let service: Service;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    requests += 1;
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) firstAfter.push(Date.now() - Date.parse(JSON.parse(body).created_at));
    seen.add(id);
    const isRefused = random() < FAILING;
    if (isRefused) failed += 1;
    response.writeHead(isRefused ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  service = await startService(inject("service").bundle, [], { variables: { SANDBOX_RECEIVER: url } });
});
afterAll(async () => {
  await service.stop();
  server.close();
  server.closeAllConnections();
});

/** Has events come at the rate, whatever each call takes; gives how many there were. */
async function comeSteadily(company: TestCompany, id: string): Promise<number> {
  const beganAt = Date.now();
  const calls: Promise<unknown>[] = [];
  while (Date.now() - beganAt < SECONDS * 1_000) {
    await company.database().batch([{ sql: AGAIN, args: [RATE / CALLS - 1] }, STAMP], "write");
    const body = { notes: `Change ${calls.length}` };
    calls.push(company.call("PATCH", `/customers/:company/${id}`, { body }).then((one) => must(one, 200)));
    await sleep(Math.max(0, beganAt + (calls.length * 1_000) / CALLS - Date.now()));
  }
  await Promise.all(calls);
  return calls.length * (RATE / CALLS);
}

async function lateness(company: TestCompany): Promise<{ late: number; open: number }> {
  const { rows } = await company.database().execute(LATE);
  return { late: Number(rows[0]?.late), open: Number(rows[0]?.open) };
}

test(
  `of ${RATE} events a second for ${SECONDS} seconds none but what is on its own backoff is 30 seconds late`,
  PATIENT,
  async () => {
    const company = await openCompany({}, addressOf(service));
    await company.raiseLimit();
    const customer = await newCustomer(company);
    const body = { url: `${url}rate`, types: ["customer.*"] };
    const path = "/settings/:company/event-endpoints";
    const { id } = must(await company.call<{ id: string }>("POST", path, { body }), 201).body.data;
    let isOver = false;
    const beganAt = Date.now();
    const coming = comeSteadily(company, customer.id).finally(() => {
      isOver = true;
    });
    let [latest, mostOpen, failing] = [0, 0, 0];
    while (!isOver) {
      const { late, open } = await lateness(company);
      latest = Math.max(latest, late);
      mostOpen = Math.max(mostOpen, open);
      if ((await endpointOf(company, id)).state !== "ok") failing += 1;
      await sleep(500);
    }
    const events = await coming;
    const tookS = (Date.now() - beganAt) / 1_000;
    await expect.poll(() => lateness(company).then(({ late }) => late), { timeout: LATEST_MS }).toBe(0);
    const sorted = firstAfter.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
    process.stdout.write(
      `\nSeed ${SEED}: ${events} events in ${tookS.toFixed(1)} s, ${requests} requests, ${failed} of them failed; ` +
        `first attempt after ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (most); at most ${latest.toFixed(0)} ms late, ` +
        `${mostOpen} open at once, ${(await lateness(company)).open} on their own backoff in the end; seen failing ${failing} times\n`,
    );
    expect(seen.size).toBe(events);
    expect(latest).toBeLessThan(LATEST_MS);
  },
);
