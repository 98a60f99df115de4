import { chatappReason } from "#providers/chatapp";
import { failure, type Inbound, type Preference, type Receipt, type Received } from "#providers/delivery";
import { INBOUND_TYPES } from "#shared/contact/inbound-types.ts";

/** The part of a callback about one business number. `company` is the one that sent the message, where it names one. */
export type Change = {
  number: string;
  statuses: { company: number | null; receipt: Receipt }[];
  inbound: Inbound[];
  preferences: Preference[];
};

type Json = Record<string, unknown>;

const STATUSES: Record<string, Receipt["status"]> = {
  sent: "sent",
  delivered: "delivered",
  read: "read",
  played: "read",
  failed: "failed",
};
const REFERENCE = /^(\d{1,15}):(msg_[0-9A-Z]{26})$/;

const FIELDS: readonly unknown[] = ["messages", "user_preferences"];

/** The changes to messages and preferences in a callback's body; what is of another kind, or malformed, is passed over. */
export function changesIn(body: Uint8Array): Change[] {
  return listed(body)
    .filter(({ field }) => FIELDS.includes(field))
    .map(({ value }) => {
      const { phone_number_id, display_phone_number } = Object(Object(value).metadata);
      return {
        number: String(phone_number_id ?? ""),
        statuses: list(value, "statuses").flatMap(statusOf),
        inbound: list(value, "messages").flatMap((message) =>
          inboundOf(message, list(value, "contacts"), display_phone_number),
        ),
        preferences: list(value, "user_preferences").flatMap(preferenceOf),
      };
    });
}

/** What of a body this code does not know: whether it is one of the chat-app's callbacks at all, or a field of it. */
export function unreadIn(body: Uint8Array): Received["unread"] {
  const fields = listed(body).map(({ field }) => field);
  if (!fields.some((field) => typeof field === "string")) return "form";
  return fields.every((field) => FIELDS.includes(field)) ? undefined : "type";
}

function listed(body: Uint8Array): Json[] {
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return [];
  }
  if (Object(root).object !== "whatsapp_business_account") return [];
  return list(root, "entry").flatMap((entry) => list(entry, "changes"));
}

function statusOf(status: Json): Change["statuses"] {
  const word = STATUSES[String(status.status)];
  if (word === undefined) return [];
  const [, company, reference = null] = REFERENCE.exec(String(status.biz_opaque_callback_data)) ?? [];
  const [error] = list(status, "errors");
  const told =
    Object(error?.error_data).details ?? error?.message ?? error?.title ?? "The message was not delivered";
  const code = String(error?.code ?? "");
  return [
    {
      company: company === undefined ? null : Number(company),
      receipt: {
        provider_message_id: typeof status.id === "string" ? status.id : null,
        reference,
        status: word,
        at: secondsToMs(status.timestamp),
        failure: word === "failed" ? failure(chatappReason(code), String(told), code) : null,
      },
    },
  ];
}

/** What a person wrote, as https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples has it. */
function inboundOf(message: Json, contacts: readonly Json[], to: unknown): Inbound[] {
  const [from, ...aliases] = sendersOf(message, contacts);
  if (from === undefined) return [];
  const { wa_id, user_id, parent_user_id } = Object(message.system);
  const type = INBOUND_TYPES.find((word) => word === message.type) ?? "other";
  const inner = Object(message[type]);
  const chosen = Object(inner.button_reply ?? inner.list_reply);
  const words = [inner.body, inner.text, inner.caption, inner.emoji, chosen.title].map(textOrNull);
  return [
    {
      id: textOrNull(message.id),
      from,
      aliases,
      becomes: idsOf(wa_id, user_id, parent_user_id),
      to: textOrNull(to),
      // A message of an older shape has no type.
      type: type === "other" && typeof Object(message.text).body === "string" ? "text" : type,
      text: words.find((word) => word !== null) ?? textOrNull(Object(message.text).body),
      mediaType: textOrNull(inner.mime_type),
      replyTo: textOrNull(Object(message.context).id) ?? textOrNull(inner.message_id),
      at: secondsToMs(message.timestamp),
    },
  ];
}

/**
 * All ids of who wrote. A person with a user name may hide the number, and a message may leave its only contact to name
 * the person: https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids. One
 * whose ids change has those of before here: .../whatsapp/webhooks/reference/messages/system
 */
function sendersOf(message: Json, contacts: readonly Json[]): string[] {
  const { previous_user_id, previous_parent_user_id } = Object(message.system);
  const { from, from_user_id, from_parent_user_id } = message;
  const own = idsOf(from, from_user_id, from_parent_user_id, previous_user_id, previous_parent_user_id);
  const named = contacts.map(({ wa_id, user_id, parent_user_id }) => idsOf(wa_id, user_id, parent_user_id));
  const isOne = own.length === 0 && named.length === 1;
  return idsOf(...own, ...(named.find((ids) => isOne || ids.some((id) => own.includes(id))) ?? []));
}

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/user_preferences */
function preferenceOf({ wa_id, user_id, parent_user_id, value, category, timestamp }: Json): Preference[] {
  const wish = value === "stop" ? "out" : value === "resume" ? "in" : undefined;
  if (wish === undefined || category !== "marketing_messages") return [];
  return idsOf(wa_id, user_id, parent_user_id).map((from) => ({ from, wish, at: secondsToMs(timestamp) }));
}

function idsOf(...given: unknown[]): string[] {
  return [...new Set(given.flatMap((id) => textOrNull(id) ?? []))];
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The chat-app writes seconds as a text. */
function secondsToMs(value: unknown): number | null {
  const seconds = Number(value);
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11 ? seconds * 1_000 : null;
}

function list(value: unknown, name: string): Json[] {
  const items: unknown = Object(value)[name];
  return Array.isArray(items) ? items.filter((item) => typeof item === "object" && item !== null) : [];
}
