import type * as z from "zod";
import { type FieldProblem, isProblemCode, MOST_ERRORS, Problem } from "./problem.ts";
import { quoted } from "./text/quoted.ts";

/** What zod makes of a value; a refusal's issues carry their input, by which a missing field is known. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  return schema.safeParse(value, { reportInput: true });
}

/** The same for the fields of a form, whose files take their time to be judged. */
export function checkForm<Schema extends z.ZodType>(
  schema: Schema,
  fields: Record<string, unknown>,
): Promise<z.ZodSafeParseResult<z.output<Schema>>> {
  return schema.safeParseAsync(fields, { reportInput: true });
}

/**
 * The API's own 422 for what `check` found: each field's path as the client wrote it, a stable code, and help. `others`
 * come first.
 */
export function validationProblem(
  issues: readonly z.core.$ZodIssue[],
  others: readonly FieldProblem[] = [],
): Problem {
  const shown = issues.slice(0, MOST_ERRORS);
  const errors = [...others, ...shown.map(ofFittingBranch).map(fieldProblem)];
  const errorCount = others.length + issues.length;
  const [first] = errors;
  if (first === undefined) return new Problem("validation_failed");
  const message = first.field === "" ? first.message : `${first.field} ${first.message}`;
  return new Problem(isProblemCode(first.code) ? first.code : "validation_failed", {
    message,
    errors,
    errorCount,
  });
}

/** Of a union's issues the first of the alternative that takes such a value, where one does; in the union's own words. */
function ofFittingBranch(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const own = ownMessage(issue);
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const first = firsts.find(({ code }) => code !== "invalid_type") ?? firsts[0];
  if (first === undefined) return issue;
  const fitting = ofFittingBranch({ ...first, path: [...issue.path, ...first.path] });
  return own === undefined || fitting.path.length > issue.path.length
    ? fitting
    : { ...fitting, message: own };
}

function fieldProblem(issue: z.core.$ZodIssue): FieldProblem {
  const field = issue.path.reduce<string>(
    (path, part) =>
      typeof part === "number"
        ? `${path}[${part}]`
        : `${path}${path === "" ? "" : "."}${quoted(String(part))}`,
    "",
  );
  return { field, ...codeAndMessage(issue) };
}

function codeAndMessage(issue: z.core.$ZodIssue): { code: string; message: string } {
  if (issue.code === "custom") {
    const code: unknown = issue.params?.code;
    return { code: typeof code === "string" ? code : "invalid", message: issue.message };
  }
  if (issue.input === undefined) return { code: "required", message: "is required" };
  switch (issue.code) {
    case "invalid_type":
      return { code: "invalid_type", message: `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}` };
    case "too_small":
      return {
        code: "too_small",
        message: ownMessage(issue) ?? bound("at least", issue.minimum, issue.origin),
      };
    case "too_big":
      return {
        code: "too_big",
        message: ownMessage(issue) ?? bound("at most", issue.maximum, issue.origin),
      };
    case "invalid_value":
      return { code: "invalid_value", message: `must be one of ${issue.values.join(", ")}` };
    case "invalid_format":
      return { code: "invalid_format", message: ownMessage(issue) ?? formOf(issue.format) };
    default:
      return { code: issue.code, message: "is not valid" };
  }
}

function formOf(format: string): string {
  return format === "regex" ? "must have the form that the documents say" : `must be a valid ${format}`;
}

const TYPE_NAMES: Record<string, string> = {
  int: "an integer",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  file: "a file",
};

// A schema's own message starts with "must"; zod's own start otherwise and are never shown.
function ownMessage(issue: z.core.$ZodIssue): string | undefined {
  return issue.message.startsWith("must ") ? issue.message : undefined;
}

function bound(side: "at least" | "at most", limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${side} ${limit}`;
  return `must have ${side} ${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
}

const UNITS: Record<string, string> = { string: "character", array: "item" };
