import { type Failure, type FailureCode, failure, type Receipt, type Received } from "#providers/delivery";

/** Codes after which the carrier will not take such a message, whatever the phone: `rejected` rather than `failed`. */
const REJECTIONS = new Set<FailureCode>([
  "dnd_blocked",
  "dlt_rejected",
  "sender_not_approved",
  "not_opted_in",
  "provider_rejected",
]);

// Operators' codes, as the aggregators in India pass them on.
function codeOf(code: number): FailureCode | undefined {
  if (code === 23005) return "dnd_blocked";
  if (code === 23072) return "sender_not_approved";
  if (code === 23015 || code === 23020) return "provider_rejected";
  if ((code >= 23080 && code <= 23083) || (code >= 600 && code <= 639)) return "dlt_rejected";
  return undefined;
}

const WORDS: readonly [RegExp, FailureCode][] = [
  [/dnd|ndnc/i, "dnd_blocked"],
  [/dlt|template|entity|scrub/i, "dlt_rejected"],
  [/sender|header/i, "sender_not_approved"],
  [/spam|black ?list|reject|block/i, "provider_rejected"],
  [/invalid|unknown.sub|number/i, "invalid_recipient"],
];

/** Why a carrier did not deliver, out of its code and its words. */
export function reasonOf(code: string, words: string): Failure {
  const told = words === "" ? "The carrier did not deliver the message" : words;
  const known = codeOf(Number(code)) ?? WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? "unreachable";
  return failure(known, told, code);
}

/** The receipt of a message that was not delivered. */
export function undelivered(id: string, reference: string | null, reason: Failure): Receipt {
  const status = REJECTIONS.has(reason.code) ? "rejected" : "failed";
  return { provider_message_id: id, reference, status, at: null, failure: reason };
}

export function delivered(id: string, reference: string | null): Receipt {
  return { provider_message_id: id, reference, status: "delivered", at: null, failure: null };
}

// https://www.twilio.com/docs/messaging/api/message-resource#message-status-values, what Exotel says of operators, and
// MSG91's number of what is pending.
const UNDERWAY: ReadonlySet<string> = new Set([
  ...["accepted", "queued", "scheduled", "sending", "submitted", "sent", "canceled", "receiving"],
  ...["delivered", "pending", "5"],
]);

/** What a report says whose status ends no message: nothing, where the status is known. */
export function notEnded(status: string): Received {
  if (UNDERWAY.has(status)) return {};
  return { unread: status === "" ? "form" : "type" };
}
