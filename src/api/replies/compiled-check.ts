import type * as z from "zod";

/** The value as its schema lets it out, or `MISFIT`. */
type Check = (value: unknown) => unknown;
type Definition = {
  type: string;
  format?: string;
  checks?: unknown[];
  catchall?: unknown;
  innerType: z.ZodType;
  element: z.ZodType;
  shape: Record<string, z.ZodType>;
  entries: Record<string, unknown>;
  values: unknown[];
};

export const MISFIT = Symbol("misfit");

const checks = new WeakMap<z.ZodType, Check>();

/**
 * A schema as a plain function. Where code may not be made from text, as in a Worker, zod walks its schema for every
 * value anew, which was an eighth of a list's time; what is not plain here is left to zod.
 */
export function checkOf(schema: z.ZodType): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = checkFor(schema);
  checks.set(schema, check);
  return check;
}

function checkFor(schema: z.ZodType): Check {
  const definition = schema.def as unknown as Definition;
  if (definition.checks?.length || definition.catchall !== undefined) return byZod(schema);
  const { type, format } = definition;
  if (type === "number")
    return format === undefined || format === "safeint" ? numberCheck(format) : byZod(schema);
  if (format !== undefined) return byZod(schema);
  if (type === "string" || type === "boolean") return (value) => (typeof value === type ? value : MISFIT);
  if (type === "enum") return oneOf(Object.values(definition.entries));
  if (type === "literal") return oneOf(definition.values);
  if (type === "nullable") return unless(null, checkOf(definition.innerType));
  if (type === "optional") return unless(undefined, checkOf(definition.innerType));
  if (type === "array") return arrayCheck(checkOf(definition.element));
  return type === "object" ? objectCheck(definition.shape) : byZod(schema);
}

function byZod(schema: z.ZodType): Check {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : MISFIT;
  };
}

function numberCheck(format: string | undefined): Check {
  const fits = format === undefined ? Number.isFinite : Number.isSafeInteger;
  return (value) => (fits(value) ? value : MISFIT);
}

function oneOf(values: readonly unknown[]): Check {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : MISFIT);
}

function unless(exempt: null | undefined, check: Check): Check {
  return (value) => (value === exempt ? exempt : check(value));
}

function arrayCheck(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return MISFIT;
    const items = value.map(check);
    return items.includes(MISFIT) ? MISFIT : items;
  };
}

function objectCheck(shape: Record<string, z.ZodType>): Check {
  const members = Object.entries(shape).map(([name, schema]) => ({ name, check: checkOf(schema) }));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return MISFIT;
    const given = value as Record<string, unknown>;
    const known: Record<string, unknown> = {};
    for (const { name, check } of members) {
      const member = check(given[name]);
      if (member === MISFIT) return MISFIT;
      if (member !== undefined || name in given) known[name] = member;
    }
    return known;
  };
}
