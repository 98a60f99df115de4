import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { parsed } from "#shared/json.ts";
import { sendJson, sendPageFile } from "../server/page-files.ts";
import { passOn } from "./pass-on.ts";
import { ANSWERS, type Answer, type Arrival, type Receiver } from "./receiver.ts";

const NAME = /^[\w-]{1,64}$/;
// How long a webhook waits for its answer.
const IN_TIME_MS = 15_000;
const MOST_BYTES = 1_048_576;
const PAGE = join(import.meta.dirname, "page");
const Secret = z.object({ secret: z.string() });
const Plan = z.object({ answer: z.enum(ANSWERS), times: z.int().min(1).max(1_000) });

/**
 * The receiver over HTTP: `POST /webhooks/{name}` receives, and passes on to a port of this machine where the name is its
 * number; `GET /webhooks` lists what came, and `/webhooks-page` shows it and takes secrets. `prefix` is the address of
 * endpoints, before the name.
 */
export function webhookReceiver(receiver: Receiver, prefix: string) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://sandbox");
    const [, root, name = "", ...rest] = pathname.split("/");
    const [action = ""] = rest;
    const isRead = request.method === "GET";
    if (root === "webhooks-page" && isRead) sendPageFile(response, PAGE, name);
    else if (root === "webhooks" && isRead) report(response, receiver, prefix, name);
    else if (request.method !== "POST") sendJson(response, 405, { message: "Webhooks are posted" });
    else if (!NAME.test(name)) sendJson(response, 404, { message: "No such receiver" });
    else if (root === "webhooks" && rest.length === 0) await receive(receiver, name, request, response);
    else if (action === "secret" || action === "answers") {
      const body = parsed((await textOf(request)) ?? "");
      change(receiver, name, action === "secret" ? Secret.safeParse(body) : Plan.safeParse(body), response);
    } else sendJson(response, 404, { message: "Nothing is here" });
  };
}

async function receive(
  receiver: Receiver,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await textOf(request);
  if (body === undefined) {
    sendJson(response, 413, { message: `At most ${MOST_BYTES} bytes` });
    return;
  }
  const { arrival, answer } = receiver.receive(name, request.headers, body);
  const began = performance.now();
  const status = await statusOf(receiver, arrival, answer);
  arrival.answer = status;
  arrival.is_late = answer === "slow" || performance.now() - began > IN_TIME_MS;
  sendJson(response, status, { received: status >= 200 && status < 300 });
}

/** What a request is answered, once it is time for it. */
async function statusOf(receiver: Receiver, arrival: Arrival, answer: Answer): Promise<number> {
  if (answer === "200") return (await passOn(arrival)) ?? 200;
  if (answer !== "slow") return Number(answer);
  // Who ends meanwhile does not wait for it.
  await sleep(receiver.slowMs, undefined, { ref: false });
  return 200;
}

function report(response: ServerResponse, receiver: Receiver, prefix: string, number: string): void {
  if (number === "") {
    const data = receiver.list().map(({ headers: _, body: __, ...rest }) => rest);
    sendJson(response, 200, { prefix, receivers: receiver.receivers(), data });
    return;
  }
  const one = receiver.find(Number(number));
  if (one === undefined) sendJson(response, 404, { message: "No such request, or no longer kept" });
  else sendJson(response, 200, { data: one });
}

type Change = z.output<typeof Secret> | z.output<typeof Plan>;

function change(
  receiver: Receiver,
  name: string,
  { data, error }: z.ZodSafeParseResult<Change>,
  response: ServerResponse,
): void {
  try {
    if (data === undefined) throw error;
    if ("secret" in data) receiver.knowSecret(name, data.secret);
    else receiver.plan(name, data.answer, data.times);
    sendJson(response, 200, { done: true });
  } catch (refused) {
    const message = refused instanceof z.ZodError ? z.prettifyError(refused) : (refused as Error).message;
    sendJson(response, 422, { message });
  }
}

/** The body, or undefined where it is too long. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= MOST_BYTES) chunks.push(chunk);
  }
  return length > MOST_BYTES ? undefined : Buffer.concat(chunks).toString();
}
