/** What messaging does outside a request. */
export type MessagingTask =
  | { kind: "dispatch"; recipient: number }
  /** All recipients of a message that still wait. */
  | { kind: "requeue"; message: string }
  /** What a provider accepted under an id of its own, or under none; `reference` is the message and the recipient's ordinal. */
  | {
      kind: "outcome";
      provider: string;
      reference: string;
      accepted: string | null;
      status: "submitted" | "sent";
    };

/** A task for each recipient. */
export function dispatchTasks(recipients: readonly { id: number }[]): MessagingTask[] {
  return recipients.map(({ id }) => ({ kind: "dispatch", recipient: id }));
}

/** One task that looks for what of a message still waits. */
export function requeueTask(message: string): MessagingTask {
  return { kind: "requeue", message };
}
