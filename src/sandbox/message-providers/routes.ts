import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parsed } from "#shared/json.ts";
import { sendJson, sendPageFile } from "../server/page-files.ts";
import { tell } from "./callbacks.ts";
import { type EventName, Inbox, type Received } from "./inbox.ts";
import { fateOf } from "./recipients.ts";
import { type ProviderRequest, standIn } from "./stand-ins.ts";

const EVENTS: readonly string[] = ["delivered", "read", "failed", "rejected", "stop"];
// Past the service's own patience.
const SILENCE_MS = 12_000;
// Of a provider that is behind.
const SLOW_MS = 1_000;
const BY_ITSELF_MS = 150;
const PAGE = join(import.meta.dirname, "page");

export type MessagesOptions = {
  chatapp?: { callbackUrl: string; secret: string };
  /** Where the inbox is kept between starts. */
  file?: string;
  /** What a provider refuses of a request by its documents; by default nothing is looked at. */
  violationsOf?: (kind: string, request: ProviderRequest & { method: string }) => string[];
};
export type Messages = {
  /** Answers a request that is for the stand-ins or their page; false for any other. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Keeps what is not kept yet. */
  close: () => void;
};

/** The message providers of this machine: their interfaces under `/providers`, what they were sent under `/messages`. */
export function messageProviders({ chatapp, file, violationsOf }: MessagesOptions): Messages {
  const inbox = new Inbox(file);
  if (chatapp !== undefined) inbox.enter("meta", chatapp);
  const handle: Messages["handle"] = async (request, response) => {
    const url = new URL(request.url ?? "/", "http://sandbox");
    const [, root, ...rest] = url.pathname.split("/");
    if (root === "messages-page") sendPageFile(response, PAGE, rest[0]);
    else if (root === "providers") await provide(inbox, request, response, rest, violationsOf);
    else if (root !== "messages") return false;
    else if (request.method === "GET")
      sendJson(response, 200, { data: inbox.list(url.searchParams.get("to")) });
    else if (rest[0] === "accounts") await enter(inbox, request, response);
    else if (rest[0] === "replies") await replyTo(inbox, request, response, undefined);
    else if (rest[1] === "unsubscribe") await unsubscribe(inbox, response, decodeURIComponent(rest[0] ?? ""));
    else if (rest[1] === "reply") await replyTo(inbox, request, response, decodeURIComponent(rest[0] ?? ""));
    else await happen(inbox, response, decodeURIComponent(rest[0] ?? ""), rest[1] ?? "");
    return true;
  };
  return { handle, close: () => inbox.close() };
}

async function provide(
  inbox: Inbox,
  request: IncomingMessage,
  response: ServerResponse,
  [kind = "", ...rest]: string[],
  violationsOf: MessagesOptions["violationsOf"],
): Promise<void> {
  const headers = new Headers(request.headers as Record<string, string>);
  const body = await textOf(request);
  const asked = { method: request.method ?? "", path: `/${rest.join("/")}`, headers, body };
  const violations = violationsOf?.(kind, asked) ?? [];
  if (violations.length > 0) return sendJson(response, 422, { message: violations.join("; ") });
  const { reply, message } = standIn(kind, asked, inbox);
  if (reply === "timeout") {
    await sleep(SILENCE_MS);
    response.destroy();
    return;
  }
  const fate = message === undefined ? undefined : fateOf(message.to);
  if (fate === "slow") await sleep(SLOW_MS);
  sendJson(response, reply.status, reply.body);
  if (message === undefined || fate === undefined || !EVENTS.includes(fate)) return;
  await sleep(BY_ITSELF_MS);
  await told(inbox, message, fate as EventName);
}

async function enter(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { account, callback_url, secret = "" } = JSON.parse(await textOf(request));
  inbox.enter(account, { callbackUrl: callback_url, secret });
  sendJson(response, 200, { entered: account });
}

/** Unsubscribes as a mail program does at one click: https://www.rfc-editor.org/rfc/rfc8058#section-3.2. */
async function unsubscribe(inbox: Inbox, response: ServerResponse, id: string): Promise<void> {
  const message = inbox.find(id);
  const [, url] = /^<(.+)>$/.exec(String(message?.details.list_unsubscribe)) ?? [];
  if (message === undefined || url === undefined)
    return sendJson(response, 409, { message: "The message says nothing of unsubscribing" });
  const body = new URLSearchParams(String(message.details.list_unsubscribe_post));
  const answered = await fetch(url, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  const answer = answered?.status ?? 0;
  message.events.push({ name: "unsubscribe", at: new Date().toISOString(), answer });
  inbox.changed();
  sendJson(response, 200, { event: "unsubscribe", answer });
}

/** Lets the receiver of a message write back: of the message of that id, or of the last one that `from` was sent. */
async function replyTo(
  inbox: Inbox,
  request: IncomingMessage,
  response: ServerResponse,
  id: string | undefined,
): Promise<void> {
  const { from, text } = Object(parsed(await textOf(request)));
  const message = id === undefined ? inbox.list(String(from))[0] : inbox.find(id);
  if (typeof text !== "string" || text === "")
    return sendJson(response, 422, { message: "text is what the person writes" });
  if (message === undefined) return sendJson(response, 404, { message: "No such message" });
  const answer = await told(inbox, message, "reply", text);
  if (answer === undefined)
    return sendJson(response, 409, { message: `${message.kind} has no way to report a reply` });
  sendJson(response, 200, { event: "reply", answer });
}

async function happen(inbox: Inbox, response: ServerResponse, id: string, event: string): Promise<void> {
  const message = inbox.find(id);
  if (message === undefined || !EVENTS.includes(event))
    return sendJson(response, 404, { message: `No such message, or no event: ${EVENTS.join(", ")}` });
  const answer = await told(inbox, message, event as EventName);
  if (answer === undefined)
    return sendJson(response, 409, { message: `${message.kind} has no way to report ${event}` });
  sendJson(response, 200, { event, answer });
}

/** Reports an event of a message to its account, and keeps it. Gives the answer; undefined where there is no report. */
async function told(
  inbox: Inbox,
  message: Received,
  event: EventName,
  text?: string,
): Promise<number | undefined> {
  const answer = await tell(message, event, inbox.accountOf(message), text);
  inbox.changed();
  return answer;
}
