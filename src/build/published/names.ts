import type { OpenApiDocument } from "#api/openapi/document.ts";
import type { JsonSchema } from "#api/openapi/schemas.ts";
import { insideOf } from "./schema-walk.ts";

// What Go makes itself out of Booking's name, and what every class of Java has above its methods. A list of payments
// beside a `payment_status` has a status of its own.
const CLASHING: Readonly<Record<string, string>> = {
  NewBooking: "CreatedBooking",
  Override: "ScheduleOverride",
  ListedOrderPayment: "ListedOrderOnlinePayment",
  StaffBookingPayment: "StaffBookingOnlinePayment",
};

/** The document with names that no generator has for something else, of schemas and of parameters. */
export function withFreeNames(document: OpenApiDocument): OpenApiDocument {
  const { schemas, parameters } = document.components as Record<string, Record<string, unknown>>;
  const text = JSON.stringify({
    ...document,
    components: {
      ...document.components,
      parameters: renamed(parameters ?? {}, parameterName),
      schemas: renamed(schemas ?? {}, schemaName),
    },
  });
  return JSON.parse(text, (key, value) => (key === "$ref" ? freeReference(String(value)) : value));
}

function freeReference(reference: string): string {
  return reference.replace(/(?<=\/schemas\/).+/, schemaName).replace(/(?<=\/parameters\/).+/, parameterName);
}

function schemaName(name: string): string {
  return CLASHING[name] ?? name;
}

/** Go has one room for the types of parameters and of records. */
function parameterName(name: string): string {
  return `${pascal(name)}Parameter`;
}

function renamed<Value>(
  components: Record<string, Value>,
  rename: (name: string) => string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(components).map(([name, one]) => [rename(name), one]));
}

/** The components with each record that stands in another one as a component of its own, named by its place. */
export function withNamedRecords(
  components: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const named: Record<string, JsonSchema> = {};
  const add = (name: string, schema: JsonSchema) => {
    if (name in named) throw new Error(`Two records of the document are named ${name}`);
    named[name] = schema;
  };
  const inside = (schema: JsonSchema, name: string): JsonSchema =>
    insideOf(schema, (one, member) => inner(one, member === "*" ? singular(name) : name + pascal(member)));
  const inner = (schema: JsonSchema, place: string): JsonSchema => {
    const name = schemaName(place);
    const own = inside(schema, name);
    if (own.type !== "object" || own.properties === undefined) return own;
    add(name, own);
    return { $ref: `#/components/schemas/${name}` };
  };
  for (const [name, schema] of Object.entries(components)) add(name, inside(schema, name));
  return named;
}

/** The name of one of what the plural names. */
function singular(plural: string): string {
  const one = plural
    .replace(/ies$/, "y")
    .replace(/(?<=ss|us|x|ch|sh)es$/, "")
    .replace(/(?<![su])s$/, "");
  return one === plural ? `${plural}Item` : one;
}

function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
