import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { json, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";

/** Where the receivers of events listen, on the server of what stands outside. */
export const RECEIVERS = "/receivers/";

/** How a receiver answers a request: 204 at once by default; `status: 0` hangs up. */
type ReceiverAnswer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  afterMs?: number;
};
/** What a receiver was sent, and when (epoch ms). */
export type Received = { headers: IncomingHttpHeaders; body: string; at: number };
/** `first` answers in turn, `always` whatever comes after them. */
type Told = { first?: ReceiverAnswer[]; always?: ReceiverAnswer };
type Kept = { told: Required<Told>; got: Received[] };

/** Serves the receivers: a POST is an event, a PUT says how they are answered, a GET gives what came. */
export function receivers(): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const all = new Map<string, Kept>();
  return async (request, response) => {
    const path = request.url ?? "";
    if (!path.startsWith(RECEIVERS)) return false;
    const kept = all.get(path) ?? { told: { first: [], always: {} }, got: [] };
    all.set(path, kept);
    if (request.method === "PUT") {
      kept.told = { first: [], always: {}, ...((await json(request)) as Told) };
      response.end();
    } else if (request.method === "GET") response.end(JSON.stringify(kept.got));
    else await takeEvent(kept, request, response);
    return true;
  };
}

async function takeEvent({ told, got }: Kept, request: IncomingMessage, response: ServerResponse) {
  const body = await text(request);
  got.push({ headers: request.headers, body, at: Date.now() });
  const { status = 204, headers = {}, body: reply = "", afterMs = 0 } = told.first.shift() ?? told.always;
  await sleep(afterMs);
  if (status === 0) response.destroy();
  else response.writeHead(status, headers).end(reply);
}

/** A receiver of a test's own. */
export class Receiver {
  readonly url: string;

  constructor(outsideUrl = inject("service").outsideUrl) {
    this.url = `${outsideUrl}${RECEIVERS}${randomBytes(8).toString("hex")}`;
  }

  /** Says how it answers from now on. */
  async answers(told: Told): Promise<void> {
    await fetch(this.url, { method: "PUT", body: JSON.stringify(told) });
  }

  /** What came, in the order in which it came. */
  async received(): Promise<Received[]> {
    return (await (await fetch(this.url)).json()) as Received[];
  }

  /** The events of what came. */
  async events(): Promise<{ id: string; type: string; sequence: number; data: Record<string, unknown> }[]> {
    return (await this.received()).map(({ body }) => JSON.parse(body));
  }
}
