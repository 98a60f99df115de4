import * as z from "zod";
import type { Callback } from "#api/operations/callback.ts";
import { decode, verifies } from "#core/secrets/signatures.ts";
import { type FailureCode, failure, type Inbound, inboundText, refused } from "#providers/delivery";
import { registration, secret } from "../account-fields.ts";
import { fieldsOf } from "../callback-fields.ts";
import { wordAt } from "../json.ts";
import { ask, basic } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import type { Sms } from "./content.ts";
import { delivered, notEnded, undelivered } from "./reasons.ts";

const config = z.object({
  account_sid: z.string().regex(/^AC[0-9a-f]{32}$/, "must be an account SID"),
  auth_token: secret,
  from: z
    .string()
    .regex(/^(?:\+\d{8,15}|[A-Za-z0-9 ]{1,11})$/, "must be a number such as +15017122661, or a name")
    .optional(),
  messaging_service_sid: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/, "must be a messaging service SID")
    .optional(),
  ...registration,
});
type Config = z.infer<typeof config>;

const CODES: Record<string, FailureCode> = {
  20003: "provider_auth",
  21211: "invalid_recipient",
  21212: "sender_not_approved",
  21408: "provider_rejected",
  21606: "sender_not_approved",
  21610: "not_opted_in",
  21612: "unreachable",
  21614: "invalid_recipient",
  30003: "unreachable",
  30004: "provider_rejected",
  30005: "invalid_recipient",
  30006: "invalid_recipient",
  30007: "provider_rejected",
  30034: "sender_not_approved",
};

// https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out
const WISHES = new Map<string, "out" | "in">([
  ["STOP", "out"],
  ["START", "in"],
]);

export const twilio: ProviderKind<Config, Sms> = {
  config,
  secrets: ["auth_token"],
  deduplicates: false,

  send: (services, { account_sid, auth_token, from, messaging_service_sid }, sms) => {
    const base = services.addressOf("twilio", "https://api.twilio.com");
    const given = sms.senderId ?? from;
    const sender: Record<string, string> =
      given === undefined ? { MessagingServiceSid: messaging_service_sid ?? "" } : { From: given };
    const body = new URLSearchParams({
      To: `+${sms.to}`,
      ...sender,
      Body: sms.text,
      ...(sms.callbackUrl === null
        ? {}
        : { StatusCallback: `${sms.callbackUrl}?reference=${sms.reference}` }),
    });
    const url = `${base}/2010-04-01/Accounts/${account_sid}/Messages.json`;
    return ask(
      { url, headers: { Authorization: basic(account_sid, auth_token) }, body },
      ({ status, json }) => {
        if (status < 300) return { kind: "accepted", id: wordAt(json, "sid") || null };
        const code = wordAt(json, "code");
        const known = CODES[code];
        return known === undefined ? undefined : refused(known, wordAt(json, "message"), code);
      },
    );
  },

  receive: async (callback, { auth_token }) => {
    if (!(await isSigned(callback, auth_token))) return undefined;
    const fields = fieldsOf(callback);
    const id = wordAt(fields, "MessageSid");
    const status = wordAt(fields, "MessageStatus");
    const reference = wordAt(fields, "reference") || null;
    if (id === "") return { unread: "form" };
    if (status === "" || status === "received") {
      return { inbound: inboundOf(fields) };
    }
    if (status === "delivered" || status === "read") return { receipts: [delivered(id, reference)] };
    if (status !== "failed" && status !== "undelivered") return notEnded(status);
    const code = wordAt(fields, "ErrorCode");
    const reason = failure(CODES[code] ?? "unreachable", `The carrier answered ${status}`, code);
    return { receipts: [undelivered(id, reference, reason)] };
  },
};

/** What a person wrote, as https://www.twilio.com/docs/messaging/guides/webhook-request has it. */
function inboundOf(fields: Record<string, unknown>): Inbound[] {
  const from = wordAt(fields, "From");
  if (from === "") return [];
  const mediaType = wordAt(fields, "MediaContentType0") || null;
  const wish = WISHES.get(wordAt(fields, "OptOutType"));
  const more = {
    id: wordAt(fields, "MessageSid") || null,
    to: wordAt(fields, "To") || null,
    mediaType,
    wish,
  };
  return [inboundText(from, wordAt(fields, "Body"), { ...more, type: typeOf(mediaType) })];
}

function typeOf(mediaType: string | null): Inbound["type"] {
  if (mediaType === null) return "text";
  const kind = (["image", "audio", "video"] as const).find((word) => mediaType.startsWith(`${word}/`));
  if (kind !== undefined) return kind;
  return /vcard/i.test(mediaType) ? "contacts" : "document";
}

/**
 * Signed is the address, then each field's name and value in the order of the names. The address may be signed with its
 * port or without: https://www.twilio.com/docs/usage/security#validating-requests
 */
async function isSigned({ url, headers, body }: Callback, token: string): Promise<boolean> {
  const fields = [...new URLSearchParams(new TextDecoder().decode(body))]
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .flat()
    .join("");
  const signature = decode(headers.get("X-Twilio-Signature") ?? "", "base64");
  for (const address of addressesOf(url))
    if (await verifies("SHA-1", token, signature, address + fields)) return true;
  return false;
}

function addressesOf(url: string): string[] {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const own = port || (protocol === "https:" ? "443" : "80");
  return ["", `:${own}`].map((place) => `${protocol}//${hostname}${place}${pathname}${search}`);
}
