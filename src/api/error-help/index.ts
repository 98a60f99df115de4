// What the page of each error code says. A code's words and an example stand here; its status and title in shared/problem.ts.
import type { ProblemCode } from "#shared/problem.ts";
import { ACCESS_HELP } from "./access.ts";
import type { Help } from "./help.ts";
import { MONEY_HELP } from "./money.ts";
import { RECORD_HELP } from "./records.ts";
import { REQUEST_HELP } from "./requests.ts";
import { SCHOOL_HELP } from "./school.ts";

export type { Help } from "./help.ts";

/** The parts of the table; no code stands in two. */
export const HELP_PARTS = [ACCESS_HELP, REQUEST_HELP, RECORD_HELP, MONEY_HELP, SCHOOL_HELP] as const;

export const ERROR_HELP: Readonly<Record<ProblemCode, Help>> = {
  ...ACCESS_HELP,
  ...REQUEST_HELP,
  ...RECORD_HELP,
  ...MONEY_HELP,
  ...SCHOOL_HELP,
};
