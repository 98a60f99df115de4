import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clientTypes } from "./client-types.ts";
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
