import table from "#docs/errors.md";
import { type FieldProblem, Problem, type ProblemCode } from "#shared/problem.ts";

/** Why an error comes, what to do, and an answer with it. */
export type Help = { code: ProblemCode; cause: string; cure: string; example: Problem };
type Said = { message?: string; errors?: FieldProblem[] };

const ROW = /^\| `(\w+)` \| (.+?) \| (.+?) \|(?: `(.+)`)? \|$/gm;

/** The rows of `docs/errors.md`. */
export const ERROR_HELP: readonly Help[] = [...table.matchAll(ROW)].map(
  ([, name = "", cause = "", cure = "", said = "{}"]) => {
    const code = name as ProblemCode;
    const { message, errors, ...members }: Said = JSON.parse(said);
    const whole = message ?? errors?.map((refused) => `${refused.field} ${refused.message}`).join();
    const details = { members, ...(errors && { errors }), ...(whole !== undefined && { message: whole }) };
    return { code, cause, cure, example: new Problem(code, details) };
  },
);

/** The help on a code. */
export function helpOn(code: ProblemCode): Help {
  const help = ERROR_HELP.find((one) => one.code === code);
  if (help === undefined) throw new Error(`docs/errors.md has no row of ${code}`);
  return help;
}
