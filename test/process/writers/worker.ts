import type { End } from "../../../src/core/database/group.ts";
import { type Batch, GroupLine, LeaderGone } from "../../../src/core/database/group-line.ts";

/**
 * How a write is sent; `cut`: the request ends before it does, as one that the runtime cuts off; `first`: it takes until
 * two more have been ordered.
 */
export type Order = { name: string; kind: "write" | "cut" | "first" };
type Env = { ORDERS: Queue<Order> };

const LEASE_MS = 3_000;
const CALL_MS = 10_000;
const TOOK_MS = 200;

const line = new GroupLine(LEASE_MS);
const groups: string[][] = [];
const ends: Record<string, unknown> = {};
const ordered: string[] = [];
let inVain: string[] = [];

async function send(group: readonly Batch[]): Promise<End[]> {
  const names = group.map(({ statements }) => statements[0]?.sql ?? "");
  groups.push(names);
  await scheduler.wait(TOOK_MS);
  return names.map((name) => ({ results: [{ rows: [{ name }], rowsAffected: 1 }] }));
}

async function sendFirst(group: readonly Batch[]): Promise<End[]> {
  const wanted = ordered.length + 2;
  const until = performance.now() + LEASE_MS - 500;
  while (ordered.length < wanted && performance.now() < until) await scheduler.wait(5);
  return send(group);
}

/** A request to a database that never answers. */
async function sendInVain(group: readonly Batch[]): Promise<End[]> {
  inVain = group.map(({ statements }) => statements[0]?.sql ?? "");
  await scheduler.wait(60_000);
  return send(group);
}

const SENDS = { write: send, cut: sendInVain, first: sendFirst };

async function take({ name, kind }: Order): Promise<void> {
  ordered.push(name);
  const statements = [{ sql: name, want_rows: true }];
  const batch = { statements, size: 1, token: "", isAlone: false, deadline: performance.now() + CALL_MS };
  const ending = line
    .write(batch, SENDS[kind])
    .then((end) => ("results" in end ? end.results[0]?.rows[0]?.name : String(end.error)), nameOf)
    .then((end) => {
      ends[name] = end;
    });
  if (kind !== "cut") return ending;
  // Its request ends once its group is sent, and with the request all that it still waits for.
  while (!inVain.includes(name)) await scheduler.wait(5);
}

function nameOf(error: unknown): string {
  return error instanceof LeaderGone ? "LeaderGone" : String(error);
}

/** Writes through one line what requests and jobs order. */
export const writers = {
  async fetch(request, env) {
    if (request.method === "GET") return Response.json({ groups, ends, inVain, ordered });
    const { orders, by } = await request.json<{ orders: Order[]; by: "request" | "job" }>();
    if (by === "job") await env.ORDERS.sendBatch(orders.map((body) => ({ body })));
    else await Promise.all(orders.map(take));
    return Response.json(null);
  },
  async queue({ messages }) {
    await Promise.all(messages.map(({ body }) => take(body)));
  },
} satisfies ExportedHandler<Env, Order>;
