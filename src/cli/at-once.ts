import { Failure } from "./failure.ts";

const MOST_AT_ONCE = 64;

/** How many companies a command works on at the same time. */
export const atOnceOption = {
  type: "string",
  description: "Companies that are worked on at the same time",
  default: "8",
} as const;

/** What `--at-once` says. Throws a Failure where it is no such number. */
export function atOnceOf(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_AT_ONCE) return number;
  throw new Failure(`--at-once must be a whole number from 1 to ${MOST_AT_ONCE}`);
}
