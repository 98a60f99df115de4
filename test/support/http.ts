import { randomInt } from "node:crypto";
import { request } from "node:http";
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
  const response = await fetch(service.url + path, {
    method,
    headers: { ...(body === undefined ? {} : sent.type), ...headers },
    ...(body === undefined ? {} : { body: sent.body, duplex: "half" }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse<Data>(text) };
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

/** A request whose path goes out as written: `fetch` would resolve `..` and `%2e%2e` first. */
export function sendAsWritten(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const { hostname, port } = new URL(inject("service").url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers }, async (incoming) => {
      let text = "";
      for await (const chunk of incoming) text += String(chunk);
      const received = new Headers(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      );
      resolve({ status: incoming.statusCode ?? 0, headers: received, text, body: parse(text) });
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** An address that no other test calls from: failures are counted by address. */
export function randomAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

function payload(body: unknown): BodyInit {
  const raw = [Uint8Array, ReadableStream].some((kind) => body instanceof kind);
  if (typeof body === "string" || raw) return body as BodyInit;
  return JSON.stringify(body);
}

/** A form as bytes, which `fetch` writes in one go: written in pieces, it may outlive a refusal of its head. */
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
