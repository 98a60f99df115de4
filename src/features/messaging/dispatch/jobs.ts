/** What messaging does outside a request. */
export type MessagingTask =
  /** To send what waits for the account that carries this message, this one and others. */
  | { kind: "dispatch"; message: string }
  /** What a provider accepted under an id of its own, or under none; `reference` is the message and the recipient's ordinal. */
  | {
      kind: "outcome";
      provider: string;
      reference: string;
      accepted: string | null;
      status: "submitted" | "sent";
    };

/** The task that sends what waits: a message, and behind it whatever else has the same account. */
export function dispatchTask(message: string): MessagingTask {
  return { kind: "dispatch", message };
}
