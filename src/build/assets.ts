import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDocument } from "./make-document.ts";
import { buildReference } from "./reference.ts";
import { buildWidget } from "./widget.ts";

// Writes what is served beside the Worker: the API document, the reference page and the booking widget. An argument
// names the folder; `--sandbox` after it fills the reference page in with the demo company.
const isSandbox = process.argv[3] === "--sandbox";
const folder = process.argv[2] ?? join(import.meta.dirname, "../../build/assets");

const { document, shownDocument } = await makeDocument();
await mkdir(folder, { recursive: true });
await Promise.all([
  writeFile(join(folder, "openapi.json"), JSON.stringify(document)),
  buildReference(join(folder, "docs"), shownDocument, isSandbox),
  buildWidget(join(folder, "widget/v1")),
]);
