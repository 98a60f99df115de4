import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** A folder of a file's own, which goes with it; gives paths in it. */
export function useFolder(): (...names: string[]) => string {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "test-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (...names) => join(folder, ...names);
}
