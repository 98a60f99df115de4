import { Problem, type ProblemCode } from "#shared/problem.ts";

/** What a broken unique index answers: its code, and the member of the body that another record has already. */
type Violation = { code: ProblemCode; field?: string };

/** The unique indexes that a client can break; a broken one that is not here is a fault of ours, a 500. */
export type UniqueViolations = Readonly<Record<string, Violation>>;

type Load = () => Promise<{ uniqueViolations: UniqueViolations }>;

let load: Load = async () => ({ uniqueViolations: {} });

/** Says where the map of unique indexes stands; done once, before the first call is served. */
export function declareUniqueViolations(violations: Load): void {
  load = violations;
}

/** The problem of a broken unique index, which names its field; undefined where it is none, or a fault of ours. */
export async function violationProblem(columns: string): Promise<Problem | undefined> {
  const { uniqueViolations } = await load();
  const violation = uniqueViolations[columns];
  if (violation === undefined) return undefined;
  const { code, field } = violation;
  if (field === undefined) return new Problem(code);
  // The other codes say in their title what is taken.
  const named = code === "conflict" ? { message: `${field} is taken: another record has it` } : {};
  return new Problem(code, { ...named, members: { field } });
}
