import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gzippedBytes, START_BYTES } from "#test/bundle-size.ts";
import { buildWorker } from "#test/worker.ts";

let bundle: string;

beforeAll(async () => {
  bundle = await buildWorker(await mkdtemp(join(tmpdir(), "cold-bundle-")));
});
afterAll(() => rm(bundle, { recursive: true }));

it("the cold bundle is at most 130 KB gzipped", async () => {
  expect((await gzippedBytes(bundle)).start).toBeLessThanOrEqual(START_BYTES);
});
