import type { Operation } from "#api/operations/operation.ts";
import { Upload } from "#shared/files/upload.ts";

/** A request and what it was answered: the record, of a list one. `path` is there where it names more than the first record. */
export type Example = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  result?: unknown;
};

/** An operation with what is shown of it. */
export type ShownOperation = Operation & { example?: Example | undefined };

/** What `npm run examples` recorded: by the id of an operation, or the type of an event. */
export type Examples = { operations: ReadonlyMap<string, Example>; events: ReadonlyMap<string, object> };

type Line = Example & { operation?: string; event?: string };

const PDF = new TextEncoder().encode("%PDF-1.7\n%%EOF\n");

/** The examples in their file, which has one on each line. */
export function examplesIn(text: string): Examples {
  const operations = new Map<string, Example>();
  const events = new Map<string, object>();
  for (const line of text.trimEnd().split("\n")) {
    const { operation, event, ...example }: Line = JSON.parse(line, withFiles);
    if (operation !== undefined) operations.set(operation, example);
    if (event !== undefined) events.set(event, example.result as object);
  }
  return { operations, events };
}

/** A file stands in a body as its name: `{"file": "name.pdf"}`. */
function withFiles(_name: string, value: unknown): unknown {
  const { file, ...others } = Object(value);
  const isFile = typeof file === "string" && Object.keys(others).length === 0;
  return isFile ? new Upload(file, Uint8Array.from(PDF)) : value;
}
