import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import type { OpenApiDocument } from "#api/openapi/document.ts";
import { clientView } from "./client-view.ts";
import { makeDocument } from "./make-document.ts";

// Makes the package of the typed client in build/client, for `npm pack ./build/client`: what the API takes and gives as
// types, and the modules of src/client with theirs.
const root = join(import.meta.dirname, "../..");
const source = join(root, "src/client");
const folder = join(root, "build/client");

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { document } = await makeDocument();
await writeFile(join(folder, "types.d.ts"), await clientTypes(document));
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", source], {
  stdio: "inherit",
});

const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, exports }, null, 2));
await copyFile(join(source, "README.md"), join(folder, "README.md"));
await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));

/** The TypeScript types of what the API takes and gives, for `openapi-fetch` and its like. */
async function clientTypes(document: OpenApiDocument): Promise<string> {
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
