import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import { Folder } from "#core/files/folder.ts";
import { sweepFolder } from "#core/files/with-file.ts";
import { ulid } from "#shared/text/ulid.ts";

const NOW = Date.parse("2026-12-04T06:30:00Z");
const HOUR = 3_600_000;
/** What R2 takes and gives in one call. */
const MOST_KEYS = 1_000;

/** A bucket with these files of one company, which holds its callers to what R2 does. */
function folderOf(paths: readonly string[]) {
  const kept = new Set(paths.map((path) => `leads/7/${path}`));
  const bucket = {
    async delete(keys: string[]) {
      if (keys.length > MOST_KEYS) throw new Error("delete: at most 1000 keys may be given");
      for (const key of keys) kept.delete(key);
    },
    async list({ prefix, startAfter }: { prefix: string; startAfter: string }) {
      const found = [...kept].filter((key) => key.startsWith(prefix) && key > startAfter).sort();
      return { objects: found.slice(0, MOST_KEYS).map((key) => ({ key })) };
    },
  };
  const folder = new Folder(bucket as unknown as R2Bucket, "leads", 7);
  return { folder, kept: () => [...kept].map((key) => key.slice("leads/7/".length)) };
}

const pathAt = (epochMs: number) => `${ulid(epochMs)}/a.pdf`;
const pathsAt = (epochMs: number, count: number) => Array.from({ length: count }, () => pathAt(epochMs));

test("more files than a bucket takes at once are deleted, as those of a lead that wrote a thousand times", async () => {
  const paths = pathsAt(NOW, 2_500);
  const { folder, kept } = folderOf(paths);
  await folder.delete(paths.slice(1));
  expect(kept()).toEqual(paths.slice(0, 1));
  await folder.delete([]);
});

test("a sweep deletes the files of the last week that no record holds, but those of the last hour", async () => {
  const [fresh, ancient] = [pathAt(NOW - HOUR / 2), pathAt(NOW - 8 * 24 * HOUR)];
  const [held, lost] = [pathsAt(NOW - 30 * HOUR, 1_200), pathsAt(NOW - 29 * HOUR, 1_100)];
  const { folder, kept } = folderOf([fresh, ancient, ...held, ...lost]);
  const ctx = { now: NOW, files: () => folder } as unknown as Ctx;
  await sweepFolder(ctx, "leads", async (first, last) =>
    held.filter((path) => path >= first && path <= last),
  );
  expect(kept().sort()).toEqual([ancient, ...held, fresh].sort());
});
