import { createHash } from "node:crypto";

// A recording takes less, and a hold as much.
const STEP_MS = 900_000;
const STEP_S = STEP_MS / 1_000;
const INSTANT = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const LOWER = "abcdefghjkmnpqrstvwxyz";
const DIGITS = "0123456789";
/** What is drawn at random, and the characters that it is drawn from; a word of what it is, as in `ck_`, stays before it. */
const DRAWN: [form: RegExp, characters: string][] = [
  [/(?<=\bbkg_)[a-z2-7]{26}\b/g, `${LOWER}234567`],
  [/(?<=\bco-)[0-9a-z]{26}\b/g, DIGITS + LOWER],
  [/(?<=\bnobody-)\d+/g, DIGITS],
  [/(?<=\bwamid\.)[\w-]{32}/g, DIGITS + LOWER],
  [/(?<=\.\.\.)[\w-]{4}(?=")/g, DIGITS + LOWER],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, DIGITS + LOWER + LOWER.toUpperCase()],
  [/(?<=\b|_)[0-9A-HJKMNP-TV-Z]{26}\b/g, DIGITS + LOWER.toUpperCase()],
  [/(?<=\b|_)[0-9a-f]{24,}\b/g, `${DIGITS}abcdef`],
  [/(?<=\b(?:[a-z]+_)+)(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{12,}\b/g, DIGITS + LOWER + LOWER.toUpperCase()],
];
/** Secrets, which an answer shows once: what stands in their place opens nothing. */
const SECRETS: [RegExp, string][] = [
  [/\bsk_[A-Za-z0-9]{40,}/g, "sk_..."],
  [/\bwhsec_[A-Za-z0-9+/]{43}=/g, `whsec_${btoa("for the document only: 32 bytes'")}`],
];
/** Members that no two runs have in common. */
const MEASURED: Readonly<Record<string, unknown>> = {
  duration_ms: 42,
  bytes: 2_228_224,
  last_four: "9xQ2",
  sequence: 4_711,
  next_after: 4_711,
  head: 4_711,
  pending: 0,
  jobs: 0,
  oldest_at: null,
  commit: "0123456789abcdef0123456789abcdef01234567",
};

/** A value with all that differs from run to run made constant; what is the same within it stays the same. */
export function steady<Value>(value: Value, hosts: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value, constant);
  const hosted = Object.entries(hosts).reduce((sum, [host, shown]) => sum.replaceAll(host, shown), text);
  const open = SECRETS.reduce((sum, [form, shown]) => sum.replace(form, shown), hosted);
  const timed = open.replace(INSTANT, (instant) =>
    new Date(floored(Date.parse(instant), STEP_MS)).toISOString(),
  );
  const known = new Map<string, string>();
  const steadied = DRAWN.reduce(
    (sum, [form, characters]) =>
      sum.replace(form, (drawn) => {
        if ([...known.values()].includes(drawn)) return drawn;
        const shown = known.get(drawn) ?? drawnFrom(characters, drawn.length, known.size);
        known.set(drawn, shown);
        return shown;
      }),
    timed,
  );
  return JSON.parse(steadied);
}

function constant(name: string, member: unknown): unknown {
  if (name in MEASURED && member !== null) return MEASURED[name];
  if (name === "webhook-timestamp") return String(floored(Number(member), STEP_S));
  return name.endsWith("_seconds") && typeof member === "number" ? floored(member, STEP_S) : member;
}

function floored(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

/** The same text each time for the place in which it stands. */
function drawnFrom(characters: string, length: number, place: number): string {
  const bytes = [0, 1].flatMap((part) => [...createHash("sha512").update(`${place} ${part}`).digest()]);
  return Array.from({ length }, (_, index) => characters[(bytes[index] ?? 0) % characters.length]).join("");
}
