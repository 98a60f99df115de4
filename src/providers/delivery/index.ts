import type { InboundType } from "#shared/contact/inbound-types.ts";

/** The name of the operator's own mailer, where companies' providers have their kinds. */
export const PLATFORM_MAILER = "cloudflare";

/** Why a message did not reach its recipient; the closed list that `error.code` holds. */
export type FailureCode =
  | "invalid_recipient"
  | "unreachable"
  | "dnd_blocked"
  | "dlt_rejected"
  | "sender_not_approved"
  | "template_not_found"
  | "template_params_mismatch"
  | "outside_window"
  | "not_opted_in"
  | "provider_auth"
  | "provider_rejected"
  | "suppressed"
  | "dispatch_exhausted"
  | "expired"
  | "cancelled"
  | "unknown";
export type Failure = { code: FailureCode; message: string; provider_code: string | null };

/** What came of asking a provider to send one message to one recipient. */
export type SendResult =
  /** The provider has it, under this id where it gave one. */
  | { kind: "accepted"; id: string | null }
  /** It never will: another try would end alike. */
  | { kind: "refused"; failure: Failure }
  /** It certainly has not, and may be asked again, not before so many seconds; others may where that is of this recipient. */
  | { kind: "busy"; retryAfter: number; isOfRecipient?: true }
  /** It was asked, and the outcome is unknown; a caller that may ask again waits for so many seconds. */
  | { kind: "unknown"; retryAfter: number };

/**
 * A provider's later report of a message: by its own id, or by the reference that we sent along. `sent` with a failure
 * keeps the status and says what came later.
 */
export type Receipt = {
  provider_message_id: string | null;
  reference: string | null;
  status: "sent" | "submitted" | "delivered" | "read" | "failed" | "rejected";
  /** Epoch milliseconds, where the provider reports them reliably. */
  at: number | null;
  failure: Failure | null;
};

/** What a person wrote to the company. */
export type Inbound = {
  /** What the provider calls it, or null where it gives no name. */
  id: string | null;
  from: string;
  /** The person's other ids, where the provider names more than one. */
  aliases?: readonly string[];
  /** The ids that the person has from now on in place of these. */
  becomes?: readonly string[];
  /** The company's own number, where the provider reports it. */
  to: string | null;
  type: InboundType;
  /** What was written: the text itself, a caption, the words of a button; null where there are none. */
  text: string | null;
  /** The media type of what was sent along. */
  mediaType: string | null;
  /** What the provider calls the message that this one answers. */
  replyTo: string | null;
  /** What the provider itself takes it for, whatever its words are. */
  wish?: Wish | undefined;
  /** Epoch milliseconds, where the provider reports when it was written. */
  at: number | null;
};
export type Suppression = { email: string; reason: "hard_bounce" | "complaint" | "manual" | "unsubscribe" };
/** That nothing may be sent any more, or that it may again. */
export type Wish = "out" | "in";
/** What a person set in place of writing it: no more marketing, or some again. `at` as of what is written. */
export type Preference = { from: string; wish: Wish; at: number | null };
export type Received = {
  receipts?: Receipt[];
  inbound?: Inbound[];
  suppressions?: Suppression[];
  preferences?: Preference[];
  /** What the event is of, where this code does not know it: another form than documented, or another type. */
  unread?: "form" | "type";
};

/** A plain text that a person wrote; `more` is what the provider reports beside it. */
export function inboundText(from: string, text: string, more: Partial<Inbound> = {}): Inbound {
  return { id: null, from, to: null, type: "text", text, mediaType: null, replyTo: null, at: null, ...more };
}

export function refused(code: FailureCode, message: string, providerCode: unknown = null): SendResult {
  return { kind: "refused", failure: failure(code, message, providerCode) };
}

/** The receipt of a message that failed after its provider took it; `sent` where its address may work next time. */
export function failedLater(
  status: "sent" | "failed",
  named: Pick<Receipt, "provider_message_id" | "reference">,
  reason: Failure,
): Receipt {
  return { ...named, status, at: null, failure: reason };
}

export function failure(code: FailureCode, message: string, providerCode: unknown = null): Failure {
  const provider_code = providerCode == null || providerCode === "" ? null : String(providerCode);
  return { code, message: message.slice(0, 500), provider_code };
}
