import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Build } from "#shared/version.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * The commit of this folder, `-dirty` behind it where files differ from it, and the time: of SOURCE_DATE_EPOCH where that
 * is set, so that a build can be made again byte by byte. Where git does not know, the variable COMMIT says it.
 */
export function buildNow(): Build {
  const { COMMIT, SOURCE_DATE_EPOCH: epoch } = process.env;
  const date = epoch === undefined ? new Date() : new Date(Number(epoch) * 1_000);
  return { commit: COMMIT ?? commitHere(), date: date.toISOString() };
}

function commitHere(): string | null {
  try {
    const words = ["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
    return execFileSync("git", words, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
