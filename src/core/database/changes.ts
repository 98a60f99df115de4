/** What an isolate knows of the writes that it makes to one database. */
type Standing = { version: number; underWay: Set<{ startedAt: number }> };

/** Longer than a write can go on whose request was cut off, or whose answer was lost. */
const DOUBT_MS = 60_000;
const MOST = 1_000;

const standings = new Map<string, Standing>();
let versions = 0;

/** Notes that a write to the database at this address begins; the result notes that it has certainly ended. */
export function beginWrite(url: string): () => void {
  const standing = standingOf(url);
  const write = { startedAt: performance.now() };
  standing.underWay.add(write);
  standing.version = nextVersion();
  return () => standing.underWay.delete(write);
}

/**
 * A number that is new with each write of this isolate to the database at this address. While one is under way, or may
 * be, there is none.
 */
export function versionOf(url: string): number | undefined {
  const { version, underWay } = standingOf(url);
  for (const write of underWay) if (write.startedAt + DOUBT_MS < performance.now()) underWay.delete(write);
  return underWay.size === 0 ? version : undefined;
}

function standingOf(url: string): Standing {
  const standing = standings.get(url) ?? { version: nextVersion(), underWay: new Set() };
  standings.delete(url);
  standings.set(url, standing);
  if (standings.size > MOST)
    for (const [each, { underWay }] of standings)
      if (underWay.size === 0 && each !== url) {
        standings.delete(each);
        break;
      }
  return standing;
}

function nextVersion(): number {
  versions += 1;
  return versions;
}
