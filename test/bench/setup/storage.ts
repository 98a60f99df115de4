import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where a pass keeps its databases. */
export type Storage = { kind: "memory" | "disk"; directory: string; note: string };

const MEMORY = "/dev/shm";
const DISK = join(import.meta.dirname, "../../../build");

/** An empty folder in memory, or beside the project on disk; it goes when the process ends. */
export function storageOf(kind: Storage["kind"]): Storage {
  const inMemory = existsSync(MEMORY);
  const parent = { memory: inMemory ? MEMORY : tmpdir(), disk: DISK }[kind];
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "company-operations-bench-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const isMissing = kind === "memory" && !inMemory;
  return { kind, directory, note: isMissing ? `${parent}: this machine has no ${MEMORY}` : parent };
}
