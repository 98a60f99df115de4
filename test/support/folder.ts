import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder of a file's own, which goes with it; gives paths in it. */
export function useFolder(): (...names: string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), "test-"));
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return (...names) => join(folder, ...names);
}
