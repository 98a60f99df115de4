import { randomInt } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { inject, type ProvidedContext } from "vitest";

/** Where a service under test is: the one that all files share, or one of a file's own. */
export type ServiceAddress = ProvidedContext["service"];

/** The members of a reply that tests read; an error body has all but `data` and `paging`. */
type Body<Data> = {
  data: Data;
  paging: { next_cursor: string | null; has_more: boolean };
  success: boolean;
  type: string;
  code: string;
  message: string;
  request_id: string;
  required_scope: string;
  retry_after: number;
  errors: { field: string; code: string; message: string }[];
};
export type Answer<Data = Record<string, unknown>> = {
  status: number;
  headers: Headers;
  text: string;
  body: Body<Data>;
};
export type Send = {
  /** Sent as JSON; text, bytes, streams and forms go as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  service?: ServiceAddress;
};

const JSON_TYPE = { "Content-Type": "application/json" };

/** One request over HTTP and its reply, parsed where it is JSON. Paths are from the root of the host. */
export async function send<Data = Record<string, unknown>>(
  method: string,
  path: string,
  { body, headers = {}, signal, service = inject("service") }: Send = {},
): Promise<Answer<Data>> {
  const sent = body instanceof FormData ? await encoded(body) : { type: JSON_TYPE, body: payload(body) };
  const { href } = new URL(service.url + path);
  return answerOf(
    await exchange(href, {
      method,
      headers: { ...(body === undefined ? {} : sent.type), ...headers },
      ...(body === undefined ? {} : { body: sent.body }),
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

type Exchange = {
  method: string;
  /** In place of the address's own. */
  path?: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | ReadableStream;
  signal?: AbortSignal;
};

// A free connection is closed before the service would close it.
const connections = new Agent({ keepAlive: true, timeout: 4_000 });

/** One request and the reply's head and bytes, in a quarter of the processor time that `fetch` takes; 303 is followed. */
export async function exchange(
  address: string,
  { body, ...options }: Exchange,
): Promise<{ incoming: IncomingMessage; bytes: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(address, { agent: connections, ...options }, resolve).on("error", reject);
  if (body instanceof ReadableStream) Readable.from(body).on("error", reject).pipe(outgoing);
  else {
    // Of some methods Node announces no body by itself.
    if (body !== undefined && !outgoing.hasHeader("Content-Length"))
      outgoing.setHeader("Content-Length", Buffer.byteLength(body));
    outgoing.end(body);
  }
  const incoming = await promise;
  const bytes = await buffer(incoming);
  const { statusCode, headers } = incoming;
  if (statusCode !== 303 || headers.location === undefined) return { incoming, bytes };
  return exchange(new URL(headers.location, address).href, { method: "GET", headers: {} });
}

function answerOf<Data>({ incoming, bytes }: Awaited<ReturnType<typeof exchange>>): Answer<Data> {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const text = new TextDecoder().decode(bytes);
  return { status: incoming.statusCode ?? 0, headers, text, body: parse(text) };
}

/** For a body that is refused before its end: the service closes the connection, so no other request may share it. */
export const CLOSE = { Connection: "close" };

/** A request that announces a body of so many bytes and sends none: its refusal must not wait for them. */
export function announce(
  bytes: number,
  path: string,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<Answer> {
  return sendAsWritten(method, path, { ...JSON_TYPE, ...headers, ...CLOSE, "Content-Length": String(bytes) });
}

/** Repeats a call as a client does that gets a 409 because the one before it under its key still runs. */
export function untilAlone<A extends Answer<unknown>>(call: () => Promise<A>): Promise<A> {
  return repeatWhile(call, ({ body }) => body.code === "idempotency_key_in_use");
}

/** Repeats a call, each time after its Retry-After, while its answer is such a one. */
export async function repeatWhile<A extends Answer<unknown>>(
  call: () => Promise<A>,
  isToRepeat: (answer: A) => boolean,
): Promise<A> {
  for (;;) {
    const answer = await call();
    if (!isToRepeat(answer)) return answer;
    await setTimeout(Number(answer.headers.get("Retry-After")) * 1_000);
  }
}

/** A request whose path goes out as written: an address would resolve `..` and `%2e%2e` first. */
export async function sendAsWritten(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Answer> {
  return answerOf(await exchange(inject("service").url, { method, headers, path }));
}

/** An address that no other test calls from: failures are counted by address. */
export function randomAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

function payload(body: unknown): string | Uint8Array | ReadableStream {
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream) return body;
  return JSON.stringify(body);
}

/** A form as bytes, written in one go: written in pieces, it may outlive a refusal of its head. */
async function encoded(form: FormData) {
  const request = new Response(form);
  const type = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  return { type, body: await request.bytes() };
}

function parse<Data>(text: string): Body<Data> {
  try {
    return JSON.parse(text);
  } catch {
    return {} as Body<Data>;
  }
}
