import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addDays } from "#shared/time/dates.ts";
import type { Configuration } from "../configuration.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { DRIVING_SCHOOL, TRADERS } from "../demo/demo-data.ts";
import { receiverPrefix } from "../webhook-receiver/index.ts";

type Reference = { $ref: string };
type Operation = {
  tags?: string[];
  parameters?: (Reference | object)[];
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, { example?: unknown }> };
};
/** What is filled in of the document that the reference page shows. */
export type ShownDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, { example?: string; schema?: object }>;
    securitySchemes: Record<string, { type: string; in?: string; name?: string; description: string }>;
  };
};

const COMPANY = "#/components/parameters/company";
const SCHOOL = "#/components/parameters/school";
/** The tags whose operations need a driving school. */
export const OF_SCHOOLS = /^Bookings$|^Settings: (Booking|Instructor|Calendar feeds)/;
/** The day that the examples of the document were written on. */
const WRITTEN_ON = "2026-11-21";
const DATE = /^(20\d\d-\d\d-\d\d)(?=$|T)/;
const DAY_MS = 86_400_000;
const WEEK = 7;

/** The document of the reference page and the keys of the demo companies, so that every example can be sent as it stands. */
export async function filledReference(folder: DataFolder, configuration: Configuration) {
  const { demo, platform_token } = folder.memory;
  if (demo === undefined) return undefined;
  const { traders, driving } = demo;
  const text = await readFile(join(folder.file("assets"), "docs/document.json"), "utf8");
  const receiver = `${receiverPrefix(configuration)}warehouse`;
  return {
    content: filledDocument(JSON.parse(text), new Date().toISOString().slice(0, 10), receiver),
    securitySchemes: {
      clientId: { value: traders.admin_key.client_id },
      clientSecret: { value: traders.admin_key.client_secret },
      schoolId: { value: driving.admin_key.client_id },
      schoolSecret: { value: driving.admin_key.client_secret },
      platformToken: { token: platform_token },
    },
  };
}

/**
 * The document with the demo companies' names in its addresses, its dates moved by whole weeks to today's, and `receiver`
 * as the address that events are sent to.
 */
function filledDocument<Document extends ShownDocument>(
  document: Document,
  today: string,
  receiver: string,
): Document {
  const { parameters, securitySchemes } = document.components;
  const { company, ...others } = parameters;
  const named = (slug: string) => ({
    ...company,
    schema: { ...company?.schema, default: slug },
    example: slug,
  });
  const days = Math.floor((Date.parse(today) - Date.parse(WRITTEN_ON)) / DAY_MS / WEEK) * WEEK;
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, filled(operation, days, receiver)]),
    ),
  ]);
  const school = (name: string) => ({
    ...securitySchemes[name],
    description: `${securitySchemes[name]?.description} Of ${DRIVING_SCHOOL.slug}.`,
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      parameters: {
        ...others,
        company: named(TRADERS.slug),
        school: named(DRIVING_SCHOOL.slug),
      },
      securitySchemes: {
        ...securitySchemes,
        schoolId: school("clientId"),
        schoolSecret: school("clientSecret"),
      },
    },
  };
}

function filled(operation: Operation, days: number, receiver: string): Operation {
  const { tags = [], parameters = [], security = [], requestBody } = operation;
  const body =
    requestBody === undefined
      ? {}
      : { requestBody: withExamples(requestBody, (one) => moved(one, days, receiver)) };
  if (!tags.some((tag) => OF_SCHOOLS.test(tag))) return { ...operation, ...body };
  return {
    ...operation,
    ...body,
    parameters: parameters.map((one) => ("$ref" in one && one.$ref === COMPANY ? { $ref: SCHOOL } : one)),
    security: security.map((schemes) =>
      Object.fromEntries(
        Object.entries(schemes).map(([name, scopes]) => [name.replace("client", "school"), scopes]),
      ),
    ),
  };
}

function withExamples(
  { content, ...body }: NonNullable<Operation["requestBody"]>,
  change: (example: unknown) => unknown,
) {
  const types = Object.entries(content).map(([type, { example, ...others }]) => [
    type,
    example === undefined ? others : { ...others, example: change(example) },
  ]);
  return { ...body, content: Object.fromEntries(types) };
}

function moved(value: unknown, days: number, receiver: string): unknown {
  if (Array.isArray(value)) return value.map((one) => moved(one, days, receiver));
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? value.replace(DATE, (date) => addDays(date, days)) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "url" ? receiver : moved(member, days, receiver),
    ]),
  );
}
