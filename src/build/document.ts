import { type OpenApiDocument, openApiDocument } from "#api/openapi/document.ts";
import conventions from "#docs/conventions.md";
import { operations, platformOperations } from "../wiring/operations.ts";
import { webhooks } from "../wiring/webhooks.ts";
import { inOpenApi30 } from "./published/document-3-0.ts";
import { publishedDocument } from "./published/publish.ts";

// Bundled into one module before it runs: loaded one by one, its thousand modules take most of a build's time.

/** The API document. */
export const document = openApiDocument(operations, platformOperations, webhooks);

/** The same for the reference page, which begins with what every operation keeps to. */
export const shownDocument: OpenApiDocument = {
  ...document,
  info: {
    ...document.info,
    description: conventions.replace(/^# .+\n/, "").replaceAll(/\((\w+)\.md\)/g, "(/docs/pages/$1)"),
  },
};

/** The same for generators of clients, by the name of its file. */
const published = publishedDocument(document);
export const publishedFiles = { "openapi.json": published, "openapi-3.0.json": inOpenApi30(published) };
