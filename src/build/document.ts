import { HOUSE_RULES } from "#api/openapi/description.ts";
import { type OpenApiDocument, openApiDocument } from "#api/openapi/document.ts";
import { operations, platformOperations } from "../wiring/operations.ts";
import { webhooks } from "../wiring/webhooks.ts";

// Bundled into one module before it runs: loaded one by one, its thousand modules take most of a build's time.

/** The API document. */
export const document = openApiDocument(operations, platformOperations, webhooks);

/** The same as its readers see it: the page of error codes has their list. */
export const shownDocument: OpenApiDocument = {
  ...document,
  info: { ...document.info, description: HOUSE_RULES },
};
