import { expect, test } from "vitest";
import * as z from "zod";
import { check, validationProblem } from "#shared/validation.ts";
import { operations } from "../../src/wiring/operations.ts";

/** Every schema within a schema, itself first, with the path of members that leads there. */
function within(
  schema: z.core.$ZodType,
  path: string,
  seen = new Set<object>(),
): [string, z.core.$ZodType][] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const found: [string, z.core.$ZodType][] = [[path, schema]];
  for (const [name, value] of Object.entries(schema._zod.def)) {
    const inner = name === "shape" ? Object.entries(value as object) : [[name, value] as const];
    for (const [member, each] of inner)
      for (const one of Array.isArray(each) ? each : [each])
        if (one !== null && typeof one === "object" && "_zod" in one && "parse" in one)
          found.push(...within(one as z.core.$ZodType, `${path}.${member}`, seen));
  }
  return found;
}

function patternsWithoutWords(schema: z.core.$ZodType, path: string): string[] {
  return within(schema, path).flatMap(([at, { _zod }]) => {
    const { checks = [], ...own } = _zod.def as z.core.$ZodTypeDef & { format?: string; error?: unknown };
    const defs = [own, ...checks.map((one) => one._zod.def as { format?: string; error?: unknown })];
    return defs.some(({ format, error }) => format === "regex" && error === undefined) ? [at] : [];
  });
}

test("the refusal of a value without its form names that form, never a pattern's kind", () => {
  const inputs = operations.flatMap(({ id, body, query }) => [
    ...(body === undefined ? [] : [[id, body] as const]),
    ...(query === undefined ? [] : [[id, query] as const]),
  ]);
  expect(inputs.flatMap(([id, schema]) => patternsWithoutWords(schema, id))).toEqual([]);
});

test("words of a union of its own come before those of its parts", () => {
  const either = z.union([z.string().regex(/^a$/), z.string().regex(/^\d+$/)], {
    error: "must be a or digits",
  });
  const { error } = check(z.object({ to: either }), { to: "x" });
  expect(validationProblem(error?.issues ?? []).details.errors).toEqual([
    { field: "to", code: "invalid_format", message: "must be a or digits" },
  ]);
});

test("a pattern that has no words is called a form", () => {
  const { error } = check(z.object({ code: z.string().regex(/^a$/) }), { code: "x" });
  expect(validationProblem(error?.issues ?? []).details.errors).toEqual([
    { field: "code", code: "invalid_format", message: "must have the form that the documents say" },
  ]);
});
