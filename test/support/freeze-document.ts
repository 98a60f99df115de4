import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { API_VERSION } from "#shared/version.ts";
import "../../src/build/text-modules.ts";
import { type DocumentShape, mapped, shapeOf, writtenPlace } from "./document-shape.ts";

// Freezes the API document of a release: what it has now, test/api/contract/frozen.test.ts holds from then on.
const { document } = await import("./api-document.ts");

const { operations: addresses, schemas } = shapeOf(document);
// One line for each operation and each schema, so that a change of one shows as a line.
const lines = (some: DocumentShape["schemas"]) =>
  Object.entries(some)
    .map(([name, places]) => `    ${JSON.stringify(name)}: ${JSON.stringify(mapped(places, writtenPlace))}`)
    .join(",\n");
const text = `{\n  "release": ${JSON.stringify(API_VERSION)},\n  "operations": {\n${lines(addresses)}\n  },\n  "schemas": {\n${lines(schemas)}\n  }\n}\n`;
await writeFile(join(import.meta.dirname, "../vectors/api-document.json"), text);
