import { type SettingName, toldOf } from "#shared/settings.ts";
import type { Language } from "#shared/text/language.ts";
import { quoted } from "#shared/text/quoted.ts";
import { withoutLinks } from "#shared/text/without-links.ts";
import { momentIn } from "./formats.ts";

type Members = Record<string, unknown>;
/** A change of a setting: the records that it changed as they were, and as they are. */
export type Changed = {
  setting: SettingName;
  actor: string;
  at: number;
  was: Record<string, Members>;
  becomes: Record<string, Members>;
};

const MOST_SHOWN = 200;
// So much of what stays the same stands before the part that changed.
const LEAD = 20;
const NONE = "–";

/** What changed, a line for each member: its old and its new value, who did it and when. */
export function toldLines(changes: readonly Changed[], language: Language, timezone: string): string[] {
  const inWords = (at: number) => `${momentIn(language, at, timezone)} (${timezone})`;
  return changes.flatMap(({ setting, actor, at, was, becomes }) => {
    const ids = [...new Set([...Object.keys(was), ...Object.keys(becomes)])];
    return ids.flatMap((id) =>
      differences(setting, was[id] ?? {}, becomes[id] ?? {}, inWords).map(
        (difference) => `${setting} ${id}: ${difference} (${withoutLinks(actor)}, ${inWords(at)})`,
      ),
    );
  });
}

/** The members of a setting as they are. */
export function memberLines(members: Members, language: Language, timezone: string): string[] {
  const inWords = (at: number) => momentIn(language, at, timezone);
  return Object.entries(members)
    .map(([name, value]) => [name.replaceAll("_", " "), textOf(name, value, inWords)])
    .flatMap(([name, text]) => (text === NONE ? [] : [`${name}: ${text}`]));
}

function differences(
  setting: SettingName,
  was: Members,
  becomes: Members,
  inWords: (at: number) => string,
): string[] {
  const secrets = toldOf(setting).flatMap((told) => told.secrets ?? []);
  const names = Object.keys({ ...was, ...becomes }).filter((name) => was[name] !== becomes[name]);
  return names.flatMap((name) => {
    const [before, after] = [textOf(name, was[name], inWords), textOf(name, becomes[name], inWords)];
    if (before === NONE && after === NONE) return [];
    const isSecret = secrets.includes(name);
    if (isSecret && [before, after].includes(NONE)) return [];
    const label = name.replace(/^sealed_|_hash$/g, "").replaceAll("_", " ");
    if (isSecret || before === after) return [`${label}: replaced`];
    const from = differsFrom(before, after);
    const [old, next] = [before, after].map((text) => quoted(text.slice(from), MOST_SHOWN));
    const lead = from > 0 ? "…" : "";
    return [`${label}: ${lead}${old} → ${lead}${next}`];
  });
}

function textOf(name: string, value: unknown, inWords: (at: number) => string): string {
  if (value === undefined || value === null || value === "[]") return NONE;
  if (name.endsWith("_at")) return inWords(Number(value));
  const text = String(value);
  if (name === "last_four") return endsOf(JSON.parse(text));
  if (name === "bank_account_number") return `…${text.slice(-4)}`;
  return /^\[".*"\]$/.test(text) ? text.slice(2, -2).replaceAll('","', ", ") : text;
}

function endsOf(secrets: Record<string, string>): string {
  const ends = Object.entries(secrets).map(([secret, end]) => `${secret.replaceAll("_", " ")} …${end}`);
  return ends.join(", ");
}

/** Where to begin with two values that are too long to be shown whole. */
function differsFrom(before: string, after: string): number {
  if (Math.max(before.length, after.length) <= MOST_SHOWN) return 0;
  const at = [...before].findIndex((character, index) => character !== after[index]);
  return Math.max(0, (at < 0 ? before.length : at) - LEAD);
}
