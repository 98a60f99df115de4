import type { EventName } from "./inbox.ts";

/** What becomes of a message by itself: an event, no answer at all, a late one, an error, or a refusal to take so many. */
export type Fate = EventName | "timeout" | "slow" | "error" | "busy" | undefined;

const BY_ENDING: Record<string, Fate> = {
  "00001": "delivered",
  "00002": "failed",
  "00003": "rejected",
  "00004": "timeout",
  "00005": "error",
  "00006": "busy",
  "00007": "slow",
};
const BY_MAILBOX: Record<string, Fate> = {
  failed: "failed",
  bounced: "failed",
  complained: "rejected",
  timeout: "timeout",
  error: "error",
  busy: "busy",
  slow: "slow",
};

/** The fate of the magic recipients: numbers by their last five digits, addresses by what stands before the `@`. */
export function fateOf(address: string): Fate {
  return address.includes("@") ? BY_MAILBOX[address.split("@", 1)[0] ?? ""] : BY_ENDING[address.slice(-5)];
}
