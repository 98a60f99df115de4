import * as z from "zod";

// As many digits as 2^53 has; what is above it is no id either.
const ID = /^[1-9][0-9]{0,15}$/;
const MOST = Number.MAX_SAFE_INTEGER;
const INVALID_ID = {
  code: "custom",
  params: { code: "invalid_id" },
  message: 'must be the id of a record, such as "12"',
} as const;

function parseId(value: unknown): number | undefined {
  const id = typeof value === "string" && ID.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function toId(value: unknown, context: z.RefinementCtx): number {
  const id = parseId(value);
  if (id !== undefined) return id;
  context.addIssue(
    value === undefined ? { code: "invalid_type", expected: "int", input: value } : INVALID_ID,
  );
  return z.NEVER;
}

/** A record's id in a path: a digit string on the wire, a number inside. */
export const recordId = z.string().meta({ pattern: ID.source }).transform(toId);

/** A record's id in a body: an integer or its digit string on the wire, a number inside; `invalid_id` for anything else. */
export const idReference = z
  .unknown()
  .meta({
    anyOf: [
      { type: "integer", minimum: 1, maximum: MOST },
      { type: "string", pattern: ID.source, description: `The digits of an id; ${MOST} at most.` },
    ],
  })
  .transform(toId);

/** The path of one record. */
export const RecordParams = z.object({ id: recordId });
export type RecordParams = z.infer<typeof RecordParams>;

/** What the delete of a record answers. */
export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: "DeletedRecord" });

export function renderDeleted({ id }: { id: number }) {
  return { id: String(id), deleted: true as const };
}

/** The same, where a record's id is a number on the wire. */
export const DeletedNumber = z
  .object({ id: z.int(), deleted: z.literal(true) })
  .meta({ id: "DeletedNumberedRecord" });

export function renderDeletedNumber({ id }: { id: number }) {
  return { id, deleted: true as const };
}
