import { type SQL, sql } from "drizzle-orm";
import { Problem } from "#shared/problem.ts";
import { operations } from "#tables/core";
import { problemText } from "./replay.ts";

/** By what a remembered answer is known to hold what must be forgotten; each a whole member of it. */
export type Forgotten = {
  /** In lower case; one of these is enough. */
  texts: readonly string[];
  /** Or the id of a record in one of these members, as their JSON paths, beside one of the names. */
  members: readonly `$.${string}`[];
  records: readonly string[];
  names: readonly string[];
};

const GONE = problemText(
  new Problem("not_found", { message: "What this call answered was erased since; it was done once" }),
);

/** The statement that takes answers out of the memory of calls: a replay of one is 404, and does nothing again. */
export function forgetAnswers({ texts, members, records, names }: Forgotten): SQL {
  const holds = (values: readonly string[]) =>
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(values.map((value) => JSON.stringify(value)))})
      WHERE instr(lower(${operations.snapshot}), value) > 0)`;
  const isOf = (path: string) =>
    sql`CAST(${operations.snapshot} ->> ${path} AS TEXT) IN (SELECT value FROM json_each(${JSON.stringify(records)}))`;
  return sql`UPDATE ${operations} SET snapshot = NULL, refused = ${GONE}
    WHERE ${operations.snapshot} IS NOT NULL AND json_valid(${operations.snapshot}) AND (
      ${holds(texts.map((text) => text.toLowerCase()))}
      OR ((${sql.join(members.map(isOf), sql` OR `)}) AND ${holds(names.map((name) => name.toLowerCase()))})
    )`;
}
