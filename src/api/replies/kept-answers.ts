import type { Operation } from "#api/operations/operation.ts";
import { versionOf } from "#core/database/changes.ts";
import type { RequestContext } from "../request-state.ts";

/** The body of an answer, and its ETag. */
export type Answer = { text: string; tag: string };
/** Where an answer is kept: by its request, while the database at `url` has this version; `readAt`: `performance.now()`. */
export type Place = { name: string; url: string; version: number; readAt: number };

const KEPT_MS = 1_000;
/** Of all answers together, and of one. */
const MOST_LENGTH = 4_000_000;
const MOST_OF_ONE = 400_000;

const kept = new Map<string, Answer & Omit<Place, "name">>();
let length = 0;

/** The place of a request's answer, which no other company shares; none while this isolate writes to its database. */
export function placeOf(c: RequestContext, { isKept }: Pick<Operation, "isKept">): Place | undefined {
  const { key } = c.get("state");
  if (!isKept || key === undefined || c.env.KEPT_ANSWERS === "off") return undefined;
  const { address, currency } = key.company;
  const version = versionOf(address.url);
  if (version === undefined) return undefined;
  const { url } = address;
  return { name: `${url} ${currency} ${c.req.url}`, url, version, readAt: performance.now() };
}

/** The answer that was kept at this place, read at most a second ago and before no write of this isolate. */
export function keptAnswer({ name, version, readAt }: Place): Answer | undefined {
  const answer = kept.get(name);
  if (answer === undefined) return undefined;
  if (answer.version === version && readAt - answer.readAt < KEPT_MS) return answer;
  forget(name, answer);
  return undefined;
}

/** Keeps an answer, unless a write of this isolate has begun since its place was taken. */
export function keepAnswer({ name, ...place }: Place, answer: Answer): void {
  if (answer.text.length > MOST_OF_ONE || versionOf(place.url) !== place.version) return;
  const before = kept.get(name);
  if (before !== undefined) forget(name, before);
  kept.set(name, { ...place, ...answer });
  length += sizeOf(name, answer);
  for (const [oldest, old] of kept) {
    if (length <= MOST_LENGTH) return;
    forget(oldest, old);
  }
}

function forget(name: string, answer: Answer): void {
  kept.delete(name);
  length -= sizeOf(name, answer);
}

function sizeOf(name: string, { text }: Answer): number {
  return name.length + text.length;
}
