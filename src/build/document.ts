import { type OpenApiDocument, openApiDocument } from "#api/openapi/document.ts";
import { examplesIn } from "#api/openapi/examples.ts";
import conventions from "#docs/conventions.md";
import recorded from "#docs/examples.jsonl";
import { operations, platformOperations } from "../wiring/operations.ts";
import { webhooks } from "../wiring/webhooks.ts";
import { inOpenApi30 } from "./published/document-3-0.ts";
import { publishedDocument } from "./published/publish.ts";

// Bundled into one module before it runs: loaded one by one, its thousand modules take most of a build's time.

/** What the document shows. */
export const examples = examplesIn(recorded);

/** The API document, of which the types of the client, what agents read and what is published are made. */
export const document = openApiDocument(operations, platformOperations, webhooks, examples);

/** The same for the reference page, which begins with what every operation keeps to. */
export const shownDocument: OpenApiDocument = {
  ...document,
  info: {
    ...document.info,
    description: conventions.replace(/^# .+\n/, "").replaceAll(/\((\w+)\.md\)/g, "(/docs/pages/$1)"),
  },
};

const published = publishedDocument(document);
/** The same for generators of clients, by the names of the files that are served. */
export const publishedFiles = { "openapi.json": published, "openapi-3.0.json": inOpenApi30(published) };
