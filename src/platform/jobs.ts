/** Work done outside a request: ids only, for a queue is no place for contents. */
export type Job =
  | { kind: "housekeep"; company: string }
  /** Seals what is sealed with an older master key anew. */
  | { kind: "reseal"; company: string }
  /** One recipient of one message. */
  | { kind: "dispatch"; company: string; recipient: number }
  /** All recipients of a message that still wait. */
  | { kind: "requeue"; company: string; message: string }
  /** What a provider accepted under an id of its own, or under none; `reference` is the message and the recipient's ordinal. */
  | {
      kind: "outcome";
      company: string;
      provider: string;
      reference: string;
      accepted: string | null;
      status: "submitted" | "sent";
    };

/** What a job's kind needs besides the company, which its context names. */
export type Task = Job extends infer Any ? (Any extends Job ? Omit<Any, "company"> : never) : never;
