import { Agent, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { buffer, json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { serveOwn } from "../own-server.ts";
import { type FaultRule, Faults } from "./faults.ts";
import { recordedError, recordedStatus, statementsIn } from "./recorded.ts";

/** Where the proxied server is now; a restarted one may be elsewhere. */
export type Upstream = () => { url: string; adminUrl: string };

/** In what the companies' clocks ask for alone, which comes when it comes: it is counted apart. */
const OF_CLOCKS = ["message_recipients_due", "audit_links"];
const COUNT = /^\/test\/(requests|looks|statements)(?:\/([^/]+))?$/;
const SHORT = { keepAliveTimeout: 0 };
const NAMESPACE = /^\/dev\/([^/]+)\//;

/**
 * Stands before sqld's two ports: counts the requests of each database and what its write batches hold, and lets those
 * meet the faults that tests ask for (`PUT /test/faults/{namespace}`; `GET` says how many met one).
 */
export async function startProxy(upstream: Upstream) {
  const faults = new Faults();
  const requests = new Map<string, number>();
  const looks = new Map<string, number>();
  const statements = new Map<string, number>();
  const told: Record<string, Map<string, number>> = { requests, looks, statements };
  const agent = new Agent({ keepAlive: true });

  const data = await serveOwn(async (request, response) => {
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const namespace = NAMESPACE.exec(request.url ?? "")?.[1] ?? "";
    const counts = OF_CLOCKS.some((word) => body.includes(word)) ? looks : requests;
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    statements.set(namespace, (statements.get(namespace) ?? 0) + statementsIn(body));
    const forward = () => ask(agent, upstream().url, request, body);
    await meet(faults.next(namespace, body), forward, body, response);
  }, SHORT);

  const admin = await serveOwn(async (request, response) => {
    const path = request.url ?? "";
    const [, kind = "", namespace] = COUNT.exec(path) ?? [];
    const counted = told[kind];
    if (counted !== undefined)
      return reply(
        response,
        200,
        JSON.stringify(namespace === undefined ? Object.fromEntries(counted) : (counted.get(namespace) ?? 0)),
      );
    if (path.startsWith("/test/faults/")) {
      const namespace = path.slice("/test/faults/".length);
      if (request.method === "GET") return reply(response, 200, String(faults.met(namespace)));
      faults.set(namespace, (await json(request)) as FaultRule[]);
      return reply(response, 200, "");
    }
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    await meet(undefined, () => ask(agent, upstream().adminUrl, request, body), body, response);
  }, SHORT);

  return {
    url: data.url,
    adminUrl: admin.url,
    stop() {
      data.stop();
      admin.stop();
      agent.destroy();
    },
  };
}

type Answer = { status: number; type: string; encoding?: string | undefined; body: Buffer };

async function meet(
  fault: FaultRule | undefined,
  forward: () => Promise<Answer>,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const reset = () => response.socket?.resetAndDestroy();
  switch (fault?.kind) {
    case "reset_before":
      reset();
      return;
    case "status":
      return pass(recordedStatus(fault.status ?? 500), response);
    case "error":
      return pass(recordedError(body, fault.code ?? "SQLITE_BUSY"), response);
    case "late":
      await sleep(fault.delay_ms ?? 0);
      await forward().catch(() => undefined);
      return;
    case "delay":
      await sleep(fault.delay_ms ?? 0);
  }
  const answer = await forward().catch(() => undefined);
  if (answer === undefined || fault?.kind === "reset_after") reset();
  else if (fault?.kind === "truncate") truncate(answer, response);
  else if (fault?.kind !== "hang_after") pass(answer, response);
}

function truncate(answer: Answer, response: ServerResponse): void {
  const { status, body } = answer;
  response.writeHead(status, headersOf(answer));
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

function ask(
  agent: Agent,
  base: string,
  { method, headers, url }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const { host: _, "content-length": __, "transfer-encoding": ___, ...kept } = headers;
  const options = { agent, method: method ?? "GET", headers: { ...kept, "content-length": body.length } };
  return new Promise((resolve, reject) => {
    const sent = send(base + (url ?? "/"), options, (answer) => {
      buffer(answer).then((bytes) => {
        const type = answer.headers["content-type"] ?? "text/plain";
        const encoding = answer.headers["content-encoding"];
        resolve({ status: answer.statusCode ?? 502, type, encoding, body: bytes });
      }, reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

function pass(answer: Answer, response: ServerResponse): void {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body);
}

function headersOf({ type, encoding, body }: Answer): Record<string, string | number> {
  const headers = { "content-type": type, "content-length": body.length };
  return encoding === undefined ? headers : { ...headers, "content-encoding": encoding };
}

function reply(response: ServerResponse, status: number, text: string): void {
  pass({ status, type: "application/json", body: Buffer.from(text) }, response);
}
