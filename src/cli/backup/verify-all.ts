import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "#shared/text/counted.ts";
import { overFleet, refuseFailed } from "../fleet.ts";
import { progressOf } from "../progress.ts";
import { print } from "../request.ts";
import { keyIdsAtHand } from "./database/secret-kinds.ts";
import { backupsIn } from "./folder.ts";
import { summary } from "./said.ts";
import { unopened, verifyBackup } from "./verify.ts";

/** A file as it is now, and the ids of the master keys at hand, which try its secrets. */
type Stand = { name: string; size: number; changed: number; keys: string[] };
/** One that was found sound, and when (epoch ms). */
type Sound = Stand & { at: number };

/** What earlier runs found sound, a line of JSON for each. */
const FOUND_SOUND = "_verified.jsonl";

/**
 * Verifies each backup in a folder. It leaves out files that a run found sound after `since` (epoch ms) with the same
 * master keys, and that are of the same size and time.
 */
export async function verifyAll(
  { json }: { json: boolean },
  folder: string,
  atOnce: number,
  since: number,
): Promise<void> {
  const names = await backupsIn(folder);
  const progress = progressOf(json);
  const known = await soundIn(folder, since);
  const stands = await Promise.all(names.map(async (name) => known.has(keyOf(await standOf(folder, name)))));
  const left = names.filter((_, at) => !stands[at]);
  const leftOut = names.length - left.length;
  const title = `${counted(left.length, "backup")} to verify`;
  const { done, failed } = await overFleet(left, { atOnce, progress, title }, async (name) => {
    const stand = await standOf(folder, name);
    const { header, missing, problems, found = [] } = await verifyBackup(join(folder, name), unopened);
    const all = [...problems, ...found];
    const result = { file: join(folder, name), ok: all.length === 0, problems: all, missing };
    const sound: Sound = { ...stand, at: Date.now() };
    if (result.ok) await appendFile(join(folder, FOUND_SOUND), `${JSON.stringify(sound)}\n`, { mode: 0o600 });
    return { result, line: result.ok ? `sound, ${summary(header)}` : all.join("; ") };
  });
  const bad = done.filter(({ ok }) => !ok);
  const before = leftOut === 0 ? "" : `, ${leftOut} ${leftOut === 1 ? "was" : "were"} found sound before`;
  const said = bad.length === 0 ? `${done.length} sound` : `${bad.length} of ${done.length} are not sound`;
  progress.end(said + before);
  if (json) print({ folder, verified: done, left_out: leftOut, failed });
  if (bad.length > 0) process.exitCode = 1;
  refuseFailed(failed, left.length);
}

async function standOf(folder: string, name: string): Promise<Stand> {
  const { size, mtimeMs } = await stat(join(folder, name));
  return { name, size, changed: Math.round(mtimeMs), keys: keyIdsAtHand() };
}

async function soundIn(folder: string, since: number): Promise<Set<string>> {
  const text = await readFile(join(folder, FOUND_SOUND), "utf8").catch(() => "");
  const found = new Set<string>();
  for (const line of text.split("\n").filter((one) => one.endsWith("}"))) {
    const sound: Sound = JSON.parse(line);
    if (sound.at <= since) continue;
    found.add(keyOf(sound));
    // With keys more was looked at than without.
    found.add(keyOf({ ...sound, keys: [] }));
  }
  return found;
}

function keyOf({ name, size, changed, keys }: Stand): string {
  return JSON.stringify([name, size, changed, keys]);
}
