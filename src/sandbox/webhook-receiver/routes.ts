import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { parsed } from "../../providers/json.ts";
import { sendJson, sendPageFile } from "../server/page-files.ts";
import { ANSWERS, type Arrival, type Receiver } from "./receiver.ts";

const NAME = /^[\w.-]{1,64}$/;
const MOST_BYTES = 1_048_576;
const PAGE = join(import.meta.dirname, "page");
const Secret = z.object({ secret: z.string() });
const Plan = z.object({ answer: z.enum(ANSWERS), times: z.int().min(1).max(1_000) });

/**
 * The receiver over HTTP: `POST /webhooks/{name}` receives, `GET /webhooks` tells what came, and `/webhooks-page` shows it
 * and takes secrets. `prefix` is the address that endpoints are given, before the name.
 */
export function webhookReceiver(receiver: Receiver, prefix: string) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://sandbox");
    const [, root, name = "", ...rest] = pathname.split("/");
    const [action = ""] = rest;
    const isRead = request.method === "GET";
    if (root === "webhooks-page" && isRead) sendPageFile(response, PAGE, name);
    else if (root === "webhooks" && isRead) tell(response, receiver, prefix, name);
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
  // Who ends meanwhile does not wait for it.
  if (answer === "slow") await sleep(receiver.slowMs, undefined, { ref: false });
  const status = answer === "slow" ? 200 : Number(answer);
  arrival.answer = status;
  sendJson(response, status, { received: status === 200 });
}

function tell(response: ServerResponse, receiver: Receiver, prefix: string, number: string): void {
  if (number === "") {
    const data = receiver.list().map(withoutBody);
    sendJson(response, 200, { prefix, receivers: receiver.receivers(), data });
    return;
  }
  const one = receiver.find(Number(number));
  if (one === undefined) sendJson(response, 404, { message: "No such request, or no longer kept" });
  else sendJson(response, 200, { data: one });
}

function withoutBody({ headers: _, body: __, ...rest }: Arrival) {
  return rest;
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
