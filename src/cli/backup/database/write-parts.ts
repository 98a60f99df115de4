import { CLOSING, OPENING } from "../dump/dump.ts";
import type { Stream } from "./stream.ts";

// A schema has a thousand parts: with a request for each, a restore of few rows is mostly waiting.
const FULL_REQUEST = 250_000;

/** Writes the parts of a backup within the transaction that is open, in as few requests as hold some 250,000 characters each. */
export async function writeParts(stream: Stream, parts: AsyncIterable<string>): Promise<void> {
  let waiting = "";
  for await (const part of parts) {
    if (part === OPENING || part === CLOSING) continue;
    if (waiting.length + part.length > FULL_REQUEST && waiting !== "") {
      await stream.script(waiting);
      waiting = "";
    }
    waiting += part;
  }
  if (waiting !== "") await stream.script(waiting);
}
