import openapiTypes, { astToString } from "openapi-typescript";
import type { OpenApiDocument } from "../api/openapi/document.ts";
import { clientView } from "./client-view.ts";

/** The TypeScript types of what the API takes and gives, for `openapi-fetch` and its like. */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  // A member with a default may be left out of a request.
  const tree = await openapiTypes(JSON.stringify(clientView(document)), { defaultNonNullable: false });
  return astToString(tree).replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));
}
