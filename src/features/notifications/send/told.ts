import { type SettingName, settingNamed } from "#shared/settings.ts";
import type { Language } from "#shared/text/language.ts";
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
const NUMBERS = new Set(["bank_account_number"]);
const NONE = "–";

/** What changed, a line for each member: its old and its new value, who did it and when. */
export function toldLines(changes: readonly Changed[], language: Language, timezone: string): string[] {
  return changes.flatMap(({ setting, actor, at, was, becomes }) => {
    const by = `(${withoutLinks(actor)}, ${momentIn(language, at, timezone)})`;
    const ids = [...new Set([...Object.keys(was), ...Object.keys(becomes)])];
    return ids.flatMap((id) =>
      differences(setting, was[id] ?? {}, becomes[id] ?? {}).map(
        (difference) => `${setting} ${id}: ${difference} ${by}`,
      ),
    );
  });
}

function differences(setting: SettingName, was: Members, becomes: Members): string[] {
  const secrets = settingNamed(setting).told?.secrets ?? [];
  const names = Object.keys({ ...was, ...becomes }).filter((name) => was[name] !== becomes[name]);
  return names.flatMap((name) => {
    const [before, after] = [textOf(name, was[name]), textOf(name, becomes[name])];
    if (before === NONE && after === NONE) return [];
    if (secrets.includes(name)) return before === NONE || after === NONE ? [] : [`${name}: replaced`];
    const from = differsFrom(before, after);
    return [`${name}: ${before.slice(from, from + MOST_SHOWN)} → ${after.slice(from, from + MOST_SHOWN)}`];
  });
}

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return NONE;
  const text = String(value);
  return NUMBERS.has(name) ? `…${text.slice(-4)}` : text;
}

/** Where to begin with two values that are too long to be shown whole. */
function differsFrom(before: string, after: string): number {
  if (Math.max(before.length, after.length) <= MOST_SHOWN) return 0;
  const at = [...before].findIndex((character, index) => character !== after[index]);
  return Math.max(0, (at < 0 ? before.length : at) - LEAD);
}
