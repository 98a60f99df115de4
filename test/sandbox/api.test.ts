import { expect, test } from "vitest";
import { serveOwn } from "#test/own-server.ts";
import { Api, Refused } from "../../src/sandbox/api.ts";
import { StartError } from "../../src/sandbox/configuration.ts";

/** What a start's client makes of a service that answers each call so. */
async function outcome(status: number, headers: Record<string, string> = {}) {
  let calls = 0;
  const { url, stop } = await serveOwn((_, answer) => {
    calls += 1;
    answer.writeHead(status, headers).end("{}");
  });
  const api = new Api(url, {}, { attempts: 3, pauseMs: 1 });
  const error = await api.get("/customers").catch((thrown) => thrown);
  stop();
  return { calls, error };
}

test.each([
  ["a key without the right is refused at once", 403, undefined, { calls: 1, refused: true, ends: true }],
  ["a key that others use up is refused after patience", 429, "3", { calls: 3, refused: true, ends: true }],
  ["a service that cannot answer yet is asked again", 503, "1", { calls: 3, refused: false, ends: false }],
])("%s", async (_, status, wait, expected) => {
  const { calls, error } = await outcome(status, wait === undefined ? {} : { "Retry-After": wait });
  const ends = error instanceof StartError;
  expect({ calls, refused: error instanceof Refused, ends }).toEqual(expected);
});
