// What the floor is given, as plain data.

/** A value that is new in each call: a number that rises by `step`, or its last digits, so many, as a text. */
export type Fresh = { first: number; step: number; digits?: number };
/** Of a record that each call changes: the one value and the other, by turns. */
type Turns = { turns: [string, string] };
/** A statement as the protocol's JSON, and between its texts what differs from call to call. */
export type Statement = (string | Fresh | Turns)[];

/** What one operation asks of others, in order, and what it answers. */
export type Plan = {
  status: number;
  answer: unknown;
  /** Whether what was read is a part of the answer, and so is parsed. */
  parses: boolean;
  /** A request of the protocol, as JSON. */
  read: string | null;
  gateway: { url: string; authorization: string; body: string } | null;
  write: Statement[];
};
/** All plans by method and path, each number in it a #. */
export type Plans = Record<string, Plan>;

/** The name of a plan. */
export function planName(method: string, path: string): string {
  return `${method} ${path.replaceAll(/[\d#]+/g, "#")}`;
}
