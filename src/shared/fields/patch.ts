import * as z from "zod";

/** The fields that a schema of `patchOf` names. */
const patches = new WeakMap<object, readonly string[]>();

type PatchShape<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> };

/**
 * The PATCH body of an object schema: every field optional and without its default, unknown keys dropped; a body with no
 * known field, or none at all, gives `no_accepted_fields`. The schema's own refinements do not carry over. `beside` are
 * optional members that are no fields of the record: a body with nothing else names no field.
 */
export function patchOf<Shape extends z.ZodRawShape, Beside extends z.ZodRawShape = Record<never, never>>(
  schema: z.ZodObject<Shape>,
  beside?: Beside,
) {
  const names = Object.keys(schema.shape);
  const optionalFields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    z.optional(withoutDefault(field)),
  ]);
  // Object.fromEntries forgets which field belongs to which name.
  const members = { ...Object.fromEntries(optionalFields), ...beside } as PatchShape<Shape> & Beside;
  const patch = z.object(members);
  if (Object.keys(patch.parse({})).length > 0)
    throw new Error(`a patch of ${names.join(", ")} would write a nested default`);
  const namesAField = patch.refine(
    (body: Record<string, unknown>) => names.some((name) => body[name] !== undefined),
    {
      params: { code: "no_accepted_fields" },
      error: `Accepted fields: ${names.join(", ")}`,
    },
  );
  const body = z.preprocess(objectOrNothing, namesAField);
  patches.set(body, names);
  return body;
}

/** What of the body of a create a change of its record takes: the fields of the schema of `patchOf`. */
export function changeableOf<Patch>(patch: z.ZodType<Patch>, body: object): Patch {
  const names = patches.get(patch) ?? [];
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))) as Patch;
}

/** Whether the schema is one of `patchOf`: a body that names no field is refused. */
export function isPatch(schema: object | undefined): boolean {
  return schema !== undefined && patches.has(schema);
}

// An omitted field must stay as it is stored, so the default that a create gives it may not fill it in.
function withoutDefault(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodPrefault
    ? withoutDefault(field.unwrap())
    : field;
}

function objectOrNothing(body: unknown): unknown {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
}
