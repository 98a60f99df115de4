import Ajv from "@redocly/ajv";
import { publishedFiles } from "../../src/build/document.ts";

export type Json = { readonly [member: string]: unknown };
type Media = Record<string, { schema: Json; example?: unknown }>;
type PublishedOperation = {
  operationId: string;
  parameters: Json[];
  requestBody?: { content: Media };
  responses: Record<string, Json & { content?: Media }>;
};
type Published = {
  info: { description: string };
  servers: { url: string }[];
  webhooks?: object;
  paths: Record<string, Record<string, PublishedOperation>>;
  components: Record<string, Record<string, Json>>;
};

/** The documents as the build writes them, by the names of their files. */
export const published = Object.entries(publishedFiles).map(([file, document]) => ({
  file,
  document: JSON.parse(JSON.stringify(document)) as Published,
}));

const checks = published.map(({ file, document }) => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document as unknown as Json, file);
  return { file, document, ajv };
});

/** What the published documents would refuse of a value at a place, such as `#/components/schemas/Invoice`. */
export function faultsAt(place: string, value: unknown): string[] {
  return checks.flatMap(({ file, ajv }) => {
    const check = ajv.getSchema(file + place);
    if (check === undefined) return [`${file} has no ${place}`];
    return check(value) ? [] : [`${file}${place}: ${ajv.errorsText(check.errors)}`];
  });
}

/** What the published documents would refuse of an operation's answer in JSON. */
export function faultsOfAnswer(path: string, method: string, status: number, body: unknown): string[] {
  const address = path.replaceAll(/:(\w+)/g, "{$1}");
  const place = ["paths", address, method, "responses", `${status}`, "content", "application/json", "schema"];
  return faultsAt(`#/${place.map(escaped).join("/")}`, body);
}

/** One part of a place in a document. */
export function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
