import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const WARNED_DAYS = 180;
const DAY_MS = 86_400_000;
const ROW = /^\| ([^|]+) \| `([^`|]+)` \| (\d{4}-\d\d-\d\d|none set) \| \d{4}-\d\d-\d\d \| ([^|]+) \|$/gm;

/** A version that the product asks a vendor in; `ends` in epoch ms, null where the vendor has set no end. */
export type PinnedVersion = { vendor: string; version: string; ends: number | null; source: string };

/** The rows of the table in docs/operate.md. */
export function pinnedVersions(text = readFileSync("docs/operate.md", "utf8")): PinnedVersion[] {
  return Array.from(text.matchAll(ROW), ([, vendor = "", version = "", ends = "", source = ""]) => {
    return { vendor, version, ends: ends === "none set" ? null : Date.parse(ends), source };
  });
}

/** Which of them end within 180 days, in words; `over` for those that have ended. */
export function endingVersions(
  versions: readonly PinnedVersion[],
  now: number,
): { over: string[]; soon: string[] } {
  const said = (inDays: (days: number) => boolean) =>
    versions.flatMap(({ vendor, version, ends, source }) => {
      const days = ends === null ? Number.POSITIVE_INFINITY : Math.ceil((ends - now) / DAY_MS);
      return inDays(days) ? [`${vendor} ${version} ends in ${days} days: ${source}`] : [];
    });
  return { over: said((days) => days <= 0), soon: said((days) => days > 0 && days <= WARNED_DAYS) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { over, soon } = endingVersions(pinnedVersions(), Date.now());
  for (const line of [...over, ...soon]) process.stdout.write(`warning: ${line}\n`);
  process.stdout.write(`${pinnedVersions().length} versions of vendors looked at\n`);
  process.exitCode = over.length > 0 ? 1 : 0;
}
