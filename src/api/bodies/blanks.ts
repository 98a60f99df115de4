import * as z from "zod";
import type { Operation, Schema } from "#api/operations/operation.ts";
import { isBlank } from "#shared/fields/text.ts";
import { check } from "#shared/validation.ts";

/**
 * What the schema makes of a body. Where the operation takes blanks, a blank text that a field refuses counts as not sent,
 * in a PATCH as null; a field that must have a value still refuses it.
 */
export function checkBody({ method, takesBlanks }: Operation, schema: Schema, body: unknown) {
  const checked = check(schema, body);
  if (checked.success || takesBlanks !== true) return checked;
  const others = structuredClone(body);
  const blanks = checked.error.issues.filter(({ path }) => emptied(others, path, method === "patch"));
  const again = check(schema, others);
  if (again.success) return again;
  const issues = again.error.issues.map(
    (issue) => blanks.find(({ path }) => path.join() === issue.path.join()) ?? issue,
  );
  return { success: false, error: new z.ZodError(issues) } as const;
}

/** Takes a blank text out of a body, or puts null in its place; false where none is there. */
function emptied(body: unknown, path: readonly PropertyKey[], isNull: boolean): boolean {
  const holder = path.slice(0, -1).reduce((value, part) => Object(value[part]), Object(body));
  const name = path.at(-1) ?? "";
  if (Array.isArray(holder) || !isBlank(holder[name])) return false;
  if (isNull) holder[name] = null;
  else Reflect.deleteProperty(holder, name);
  return true;
}
