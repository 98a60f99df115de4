import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentDocuments } from "./agent-documents.ts";
import { buildGuides } from "./guides/build.ts";
import { makeDocument } from "./make-document.ts";
import { buildReference } from "./reference.ts";
import { buildWidget } from "./widget.ts";

// Writes what is served beside the Worker: the API document, as a whole and for agents, what test events say, the reference
// page, the guides and the widget. An argument names the folder; `--sandbox` after it fills the reference page in with the demo company.
const isSandbox = process.argv[3] === "--sandbox";
const folder = process.argv[2] ?? join(import.meta.dirname, "../../build/assets");

const { document, shownDocument, publishedFiles, examples } = await makeDocument();
const { list, descriptions } = agentDocuments(document);
const [operations, events] = [join(folder, "operations"), join(folder, "events")];
for (const emptied of [operations, events]) {
  await rm(emptied, { recursive: true, force: true });
  await mkdir(emptied, { recursive: true });
}
await Promise.all([
  ...Object.entries(publishedFiles).map(([name, one]) => writeFile(join(folder, name), JSON.stringify(one))),
  writeFile(join(operations, "list.json"), JSON.stringify(list)),
  ...Object.entries(descriptions).map(([id, description]) =>
    writeFile(join(operations, `${id}.json`), JSON.stringify(description)),
  ),
  ...[...examples.events].map(([type, event]) =>
    writeFile(join(events, `${type}.json`), JSON.stringify(event)),
  ),
  // Into the folder of the reference page, which that one empties first.
  buildReference(join(folder, "docs"), shownDocument, isSandbox).then(() =>
    buildGuides(folder, document, isSandbox),
  ),
  buildWidget(join(folder, "widget/v1")),
]);
