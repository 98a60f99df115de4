import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { useServer } from "#test/own-server.ts";
import { startGateways } from "#test/start-gateways.ts";
import { demoMerchant, type Kind, type Merchant } from "../../../src/sandbox/gateways/merchants.ts";

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
type Answer = number | Promise<number>;

export let gateways: Awaited<ReturnType<typeof startGateways>>;
/** All webhooks that came during a test. */
export let received: Received[];
/** How the receiver answers; 200 unless a test says otherwise. */
export const receiver = { answer: (_: Received): Answer => 200 };

/** Gives a file's tests the stand-ins, and a receiver of their webhooks. */
export function useGateways(): void {
  const workerOrigin = useServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const webhook = { path: request.url ?? "", headers: request.headers, body };
    received.push(webhook);
    response.writeHead(await receiver.answer(webhook)).end("{}");
  });
  beforeAll(async () => {
    const times = { retryDelays: [10, 20], lateMs: 500 };
    gateways = await startGateways({ workerOrigin: workerOrigin(), merchants: [], ...times });
  });
  beforeEach(() => {
    received = [];
    receiver.answer = () => 200;
  });
  afterAll(() => gateways.stop());
}

let opened = 0;

/** An account of a company of its own. */
export function openAccount(kind: Kind): Merchant {
  opened += 1;
  const merchant = demoMerchant(kind, { slug: `shop-${opened}`, name: `Shop ${opened}` });
  gateways.merchants.add(merchant);
  return merchant;
}

/** Plays the payer, as a script does. */
export async function pay(kind: Kind, id: unknown, outcome: string) {
  const response = await fetch(`${gateways.url}/pay/${kind}/${id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ outcome }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Calls a gateway's API; a string is sent as a form, an object as JSON. */
export async function call(path: string, authorization: string, sent?: string | object, headers = {}) {
  const type = typeof sent === "string" ? "application/x-www-form-urlencoded" : "application/json";
  const response = await fetch(gateways.url + path, {
    method: sent === undefined ? "GET" : "POST",
    headers: { Authorization: authorization, "Content-Type": type, ...headers },
    ...(sent !== undefined && { body: typeof sent === "string" ? sent : JSON.stringify(sent) }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

export function basic({ account, secret }: Merchant): string {
  return `Basic ${Buffer.from(`${account}:${secret}`).toString("base64")}`;
}

/** The events that came, by name. */
export function eventsReceived(): string[] {
  return received.map(({ body }) => {
    const { event, type, event_type } = JSON.parse(body);
    return event ?? type ?? event_type;
  });
}
