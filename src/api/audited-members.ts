import type { Operation, Schema } from "#api/operations/operation.ts";
import type { Audited } from "#shared/audit-entry.ts";

type Definition = { type: string; format?: string; innerType: Schema; element: Schema };

// A person's former address stays nowhere, whosever record it is.
const PERSONAL: ReadonlySet<string> = new Set(["email", "phone"]);

const known = new WeakMap<Operation, string>();

/** Of an update: the members whose values the audit log keeps, as JSON; null of what is no update. */
export function auditedMembers(operation: Operation): string | null {
  if (operation.method !== "patch" && operation.method !== "put") return null;
  const members = known.get(operation) ?? JSON.stringify(membersOf(operation));
  known.set(operation, members);
  return members;
}

function membersOf({ result, scope, keepsTexts }: Operation): Record<string, Audited> {
  const { shape = {} } = result as { shape?: Record<string, Schema> };
  const reads = scope.replace(/write$/, "read");
  const kinds = Object.entries(shape).map(([name, schema]) => [
    name,
    kindOf(name, schema, keepsTexts === true),
  ]);
  return Object.fromEntries(kinds.flatMap(([name, kind]) => (kind ? [[name, { kind, reads }]] : [])));
}

/** What kind of values a member has that name no person and open nothing; null where they could. */
function kindOf(name: string, schema: Schema, keepsTexts: boolean): string | null {
  const { type, format, element, innerType } = schema.def as unknown as Definition;
  if (type === "nullable" || type === "optional") return kindOf(name, innerType, keepsTexts);
  if (type === "boolean") return "flag";
  if (type === "number") return String(schema.meta()?.["x-kind"] ?? "word");
  if (type === "array") return (element.def as { type: string }).type === "enum" ? "word" : null;
  if (type === "enum" || format === "date" || name.endsWith("_date")) return "word";
  if (type !== "string") return null;
  if (name.endsWith("_at")) return "instant";
  if (name.endsWith("_id")) return "id";
  return keepsTexts && !PERSONAL.has(name) ? "word" : null;
}
