import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withWideBatch } from "../../src/self-host/queues.ts";

const declared = readFileSync("wrangler.toml", "utf8");

test("on one machine the jobs of all companies' messages are one batch, and so are their events and notifications, so that none waits for the slices of another's", () => {
  const before = declared.split("\n");
  const after = withWideBatch(declared).split("\n");
  const changed = after.flatMap((line, at) => (line === before[at] ? [] : [[before[at - 1], line]]));
  expect(changed).toEqual([
    ['queue = "messages"', "max_batch_size = 100"],
    ['queue = "deliveries"', "max_batch_size = 100"],
    ['queue = "notifications"', "max_batch_size = 100"],
  ]);
});

test("a declaration that it does not know ends the start, in place of a queue that runs one job after the other", () => {
  expect(() => withWideBatch(declared.replace("max_batch_size = 1\n", "max_batch_size = 2\n"))).toThrow(
    "no batch of messages",
  );
});
