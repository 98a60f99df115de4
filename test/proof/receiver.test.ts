import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";
import { must } from "../support/company.ts";
import { startService } from "../support/service.ts";
import { Load } from "./load.ts";

// A receiver as an integrator would write it: a plain server with the verifier of Standard Webhooks, that fails one request
// in five. `npm run soak` has a few hundred events, `npm run proof -- receiver` ten thousand.
const EVENTS = Number(process.env.PROOF_EVENTS ?? 200);
const SEED = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);
const FAILING = 0.2;
const CLIENTS = 16;
const DAY_S = 86_400;
const QUIET_MS = 3_000;
const PATIENT = { timeout: 120_000 + EVENTS * 150 };

const random = seededRandom(SEED);
const taken = new Map<string, { type: string; sequence: number; data: { id: unknown } }>();
const forged: string[] = [];
let [requests, failed] = [0, 0];
let webhook: Webhook | undefined;
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    requests += 1;
    try {
      const event = webhook?.verify(body, request.headers as Record<string, string>);
      const id = String(request.headers["webhook-id"]);
      if (random() < FAILING) failed += 1;
      else taken.set(id, event as never);
      response.writeHead(taken.get(id) === event ? 204 : 500).end();
    } catch (error) {
      forged.push(`${error}`);
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

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
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const service = await startService(inject("service").bundle, [], {
      variables: { SANDBOX_RECEIVER: address },
    });
    try {
      const load = await Load.begin(service, SEED);
      const { company } = load;
      const body = { url: `${address}books`, types: ["*"] };
      const path = "/settings/:company/event-endpoints";
      const made = must(await company.call<{ id: string; secret: string }>("POST", path, { body }), 201);
      webhook = new Webhook(made.body.data.secret);
      const count = async (sql: string) => Number((await company.database().execute(sql)).rows[0]?.n);
      const sent = "SELECT count(DISTINCT sequence) AS n FROM event_deliveries";
      await load.run(CLIENTS, async () => (await count(sent)) >= EVENTS);
      const open = `SELECT count(*) AS n FROM event_deliveries WHERE state NOT IN ('delivered')`;
      // What is tried again in minutes or hours is due at once, a day on.
      for (let day = 1; (await count(open)) > 0; day += 1) {
        await untilQuiet();
        await company.clock(day * DAY_S);
      }
      const { rows } = await company
        .database()
        .execute(
          "SELECT id, type, sequence FROM events WHERE sequence IN (SELECT sequence FROM event_deliveries)",
        );
      expect(rows.length).toBeGreaterThanOrEqual(EVENTS);
      for (const { id, type, sequence } of rows)
        expect(taken.get(String(id))).toMatchObject({ id, type, sequence, data: { id: expect.anything() } });
      expect(taken.size).toBe(rows.length);
      expect(forged).toEqual([]);
      expect(load.strange).toEqual([]);
      process.stdout.write(
        `\nSeed ${SEED}: ${rows.length} events, ${requests} requests, ${failed} of them failed\n`,
      );
    } finally {
      await service.stop();
    }
  },
);
