import type * as z from "zod";
import type { Readiness as ReadinessSchema } from "#integrity/readiness/routes.ts";
import { askPlatform, type Target } from "./ask.ts";
import { LOG } from "./report.ts";

/** The answer of `GET /platform/readiness`. */
export type Readiness = z.infer<typeof ReadinessSchema>;

const KEYS =
  "`company-ops master-key status` shows the ids of the keys it has; give it the one that encrypted them as MASTER_KEY, or as PREVIOUS_MASTER_KEY and rotate";
const LOST = "restore it (docs/operate.md, When the control database is lost)";
/** A control database that lacks it has no tables. */
export const FIRST_MIGRATION = "01_core";
/** What to do about a control database without tables. */
export const NEW_OR_LOST = `where there was one, its files are gone: ${LOST}; of a new service: run \`company-ops migrate --first\``;
/** The same as one sentence, for the commands. */
export const NO_TABLES = `The control database has no tables: ${NEW_OR_LOST}`;
const FAULTS: Record<string, [found: string, remedy: string]> = {
  control_database_unavailable: [
    "the control database does not answer",
    `does sqld run, does its disk answer, and is CONTROL_DATABASE_URL its address? ${LOG}`,
  ],
  control_database_missing: [
    "the database server does not know the control database",
    `is CONTROL_DATABASE_URL right? Where its namespace was removed: ${LOST}`,
  ],
  control_database_damaged: ["the file of the control database is damaged", LOST],
  control_database_closed: [
    "the database server refuses CONTROL_DATABASE_TOKEN, or cannot read or write its files",
    `is the token of sqld's key, and has sqld's disk room? ${LOG}`,
  ],
  control_database_not_migrated: ["the control database lacks migrations", "run `company-ops migrate`"],
  no_key_opens: ["no master key of the service opens the tokens of its oldest companies", KEYS],
};

/** What keeps an instance from serving, and what to do: of a fault of `GET /platform/readiness`. */
export function saidOf(fault: string): [found: string, remedy: string] {
  return FAULTS[fault] ?? [fault, LOG];
}

/** What the service says of itself. */
export function readiness(target: Target, signal: AbortSignal): Promise<Readiness> {
  return askPlatform<Readiness>(target, "GET", "/platform/readiness", { signal });
}
