import { registerHooks } from "node:module";
import type { OpenApiDocument } from "#api/openapi/document.ts";
import { clientView } from "./client-view.ts";

/** The TypeScript types of what the API takes and gives, for `openapi-fetch` and its like. */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const { astToString, default: openapiTypes } = await openapiTypescript();
  const { factory } = (await import("typescript-5")).default;
  const file = factory.createTypeReferenceNode("Blob");
  const tree = await openapiTypes(JSON.stringify(clientView(document)), {
    // A member with a default may be left out of a request.
    defaultNonNullable: false,
    transform: ({ format }) => (format === "binary" ? file : undefined),
  });
  return astToString(tree).replaceAll(/^( {4})+/gm, (indent) => indent.slice(indent.length / 2));
}

/** Loads the generator with TypeScript 5, whose API it needs: https://github.com/openapi-ts/openapi-typescript/issues/2841 */
async function openapiTypescript() {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === "typescript" ? "typescript-5" : name, context),
  });
  try {
    return await import("openapi-typescript");
  } finally {
    hooks.deregister();
  }
}
