/** Work done outside a request: ids only, for a queue is no place for contents. */
export type Job =
  | { kind: "housekeep"; company: string }
  /** Seals what is sealed with an older master key anew. */
  | { kind: "reseal"; company: string }
  /** One recipient of one message. */
  | { kind: "dispatch"; company: string; recipient: number };

/** What a job's kind needs besides the company, which its context names. */
export type Task = Job extends infer Any ? (Any extends Job ? Omit<Any, "company"> : never) : never;
