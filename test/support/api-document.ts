import { openApiDocument } from "#api/openapi/document.ts";
import { operations, platformOperations } from "../../src/wiring/operations.ts";
import { webhooks } from "../../src/wiring/webhooks.ts";
import { examples } from "./examples.ts";

/** The API document. */
export const document = openApiDocument(operations, platformOperations, webhooks, examples);
