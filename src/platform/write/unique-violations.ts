import type { ProblemCode } from "#shared/problem.ts";

/**
 * What unique indexes mean to a client, by the columns that the database names. `null`: only a fault of ours can break
 * it, so it stays a 500. A test walks the schema and fails on a missing one.
 */
export type UniqueViolations = Readonly<Record<string, ProblemCode | null>>;

/** Of the tables that `atomic` and `takeNumber` write. */
export const platformUniqueViolations: UniqueViolations = {
  "operations.scope": null,
  "number_series.series, number_series.period": null,
  "number_gaps.series, number_gaps.period, number_gaps.after": null,
  "migrations.name": null,
  "audit_keys.key_id": null,
  "events.id": null,
};

type Load = () => Promise<{ uniqueViolations: UniqueViolations }>;

let load: Load = async () => ({ uniqueViolations: {} });

/** Says where it stands what the unique indexes of every other table mean; done once, before the first call is served. */
export function declareUniqueViolations(violations: Load): void {
  load = violations;
}

/** The code of a broken unique index; undefined where it is none, or a fault of ours. */
export async function violationCode(columns: string): Promise<ProblemCode | undefined> {
  const { uniqueViolations } = await load();
  return platformUniqueViolations[columns] ?? uniqueViolations[columns] ?? undefined;
}
