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

test("a key without the right is refused at once", async () => {
  const { calls, error } = await outcome(403);
  expect({ calls, refused: error instanceof Refused }).toEqual({ calls: 1, refused: true });
});

test("a key that others use up is refused after patience, which is no reason not to start", async () => {
  const { calls, error } = await outcome(429, { "Retry-After": "3" });
  expect({ calls, refused: error instanceof Refused }).toEqual({ calls: 3, refused: true });
});

test("a service that cannot answer yet is asked again, and is no refusal of the key", async () => {
  const { calls, error } = await outcome(503, { "Retry-After": "1" });
  expect({ calls, ends: error instanceof StartError }).toEqual({ calls: 3, ends: false });
});
