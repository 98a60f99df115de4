import { addDays } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import type { Burndown } from "./schema.ts";

/** What changed on a day: by how much the scope grew, and how much more of it is completed. */
export type Change = { date: string; scope: number; completed: number };
export type Day = Burndown["days"][number];

const MOST_DAYS = 366;

/**
 * The days of a sprint from `start` to `end`, or to `last` where that is later: the last day that is known, today or the
 * day of completion. What changed before the sprint counts on its first day; `committed` is where the ideal line begins.
 */
export function chartOf(
  { start, end, last, committed }: { start: string; end: string; last: string; committed: number },
  changes: readonly Change[],
): Day[] {
  const byDate = new Map<string, Change[]>();
  for (const change of changes) {
    const date = change.date > last ? last : change.date < start ? start : change.date;
    byDate.set(date, [...(byDate.get(date) ?? []), change]);
  }
  const spans = (Date.parse(end) - Date.parse(start)) / DAY_MS;
  const days: Day[] = [];
  let scope = 0;
  let completed = 0;
  for (let date = start; date <= end || date <= last; date = addDays(date, 1)) {
    for (const change of byDate.get(date) ?? []) {
      scope += change.scope;
      completed += change.completed;
    }
    const ideal = spans === 0 ? 0 : Math.max(0, committed * (1 - days.length / spans));
    const known = date <= last;
    days.push({
      date,
      remaining: known ? scope - completed : null,
      completed: known ? completed : null,
      scope: known ? scope : null,
      ideal,
    });
    if (days.length === MOST_DAYS) break;
  }
  return days;
}
