import type { ProblemCode } from "#shared/problem.ts";

/** The unique indexes that a client can break, with their codes; a broken one that is not here is a fault of ours, a 500. */
export type UniqueViolations = Readonly<Record<string, ProblemCode>>;

type Load = () => Promise<{ uniqueViolations: UniqueViolations }>;

let load: Load = async () => ({ uniqueViolations: {} });

/** Says where the map of unique indexes stands; done once, before the first call is served. */
export function declareUniqueViolations(violations: Load): void {
  load = violations;
}

/** The code of a broken unique index; undefined where it is none, or a fault of ours. */
export async function violationCode(columns: string): Promise<ProblemCode | undefined> {
  const { uniqueViolations } = await load();
  return uniqueViolations[columns];
}
