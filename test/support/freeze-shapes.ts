import { writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import "../../src/build/text-modules.ts";
import { eventShapes, SHAPES_FILE, snapshotNames } from "./event-shapes.ts";

// Adds the shape that the snapshot of a record has now, where the last one that was frozen is another.
const { allResources } = await import("../../src/wiring/resources.ts");

for (const resource of await allResources()) {
  const shapes = eventShapes[resource.name] ?? [];
  const names = snapshotNames(resource);
  if (!isDeepStrictEqual(shapes.at(-1)?.names, names)) eventShapes[resource.name] = [...shapes, { names }];
}
await writeFile(SHAPES_FILE, `${JSON.stringify(eventShapes, null, 2)}\n`);
