import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Example, examplesIn } from "#api/openapi/examples.ts";

export const EXAMPLES_FILE = join(import.meta.dirname, "../../docs/examples.jsonl");

/** What `npm run examples` recorded. */
export const examples = examplesIn(readFileSync(EXAMPLES_FILE, "utf8"));

/** The request of an operation, and what it was answered. */
export function exampleOf({ id }: { id: string }): Example {
  const example = examples.operations.get(id);
  if (example === undefined) throw new Error(`${id} has no example: add its body to docs/examples.jsonl`);
  return example;
}
