import type { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { logFault } from "../log.ts";
import type { DatabaseAddress } from "./clients.ts";
import { classify, type Failure, isEmpty, lacksTable } from "./failure.ts";
import { Replaced } from "./replaced.ts";

type Kind = Failure["kind"];

/** What is left when the tries are over, for the operator to look at. */
const LASTING = new Set<Kind>(["missing", "closed", "damaged", "empty", "blocked", "replaced", "fault"]);
const OF_NO_ANSWER = new Set(["unavailable", "outcome_unknown"]);
const NO_ANSWER = "unavailable";

/** Whether another try would end alike. */
export function isLasting(kind: Kind): boolean {
  return LASTING.has(kind);
}

/** Classes what a batch threw; of our own databases also whether they have lost their tables, or their place. */
export function failureOf(error: unknown, isCompanys: boolean): Failure {
  if (error instanceof Replaced) return { kind: "replaced" };
  // The control database is migrated before it is read, so a table that it lacks was there.
  return (isCompanys ? isEmpty(error) : lacksTable(error)) ? { kind: "empty" } : classify(error);
}

/** Logs why a call is given up, for the operator: one line, whose subject is the database's address. */
export function logGivenUp(kind: Kind, error: unknown, { url }: DatabaseAddress): void {
  if (kind === "unknown") logFault("database_unanswered", error, url);
  else if (isLasting(kind)) logFault(`database_${kind}`, error, url);
}

/** The problem of a batch that is given up. `unknown`: whether it may be done all the same. */
export function givenUp(kind: Kind, unknown: boolean, waitMs = 1_000): Problem {
  if (unknown) return retryLater("outcome_unknown", waitMs);
  if (kind === "blocked") return retryLater("database_blocked", MINUTE_MS);
  if (kind === "damaged" || kind === "empty") return retryLater("unavailable", MINUTE_MS);
  return retryLater("unavailable", waitMs);
}

/** Why a batch was given up, as the code of its line, by the problem that it threw: `unavailable` where no answer came. */
export function whyGivenUp({ code, cause }: Problem): string {
  if (!OF_NO_ANSWER.has(code)) return code;
  if (cause === undefined) return NO_ANSWER;
  const { kind } = failureOf(cause, true);
  return isLasting(kind) && kind !== "fault" ? `database_${kind}` : NO_ANSWER;
}
