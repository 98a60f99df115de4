import * as fc from "fast-check";
import { expect, test } from "vitest";
import { setClock } from "../features/commerce.ts";
import { type Board, type ItemRecord, openBoard } from "../features/projects/board.ts";
import { must } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";

// One run in `npm test`, 27 in `npm run soak`.
const RUNS = Math.ceil(Number(process.env.MODEL_RUNS ?? 30) / 30);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const ZONE = "Asia/Kolkata";
const START = 2;
const END = 6;
const CATEGORIES = ["proposed", "in_progress", "resolved", "completed", "removed"] as const;
const points = fc.option(fc.integer({ min: 0, max: 16 }).map((halves) => halves / 2));
const category = fc.constantFrom(...CATEGORIES);
const command = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), points, category, joins: fc.boolean() }),
  fc.record({ kind: fc.constant("estimate" as const), item: fc.nat(9), points }),
  fc.record({ kind: fc.constant("move" as const), item: fc.nat(9), category }),
  fc.record({
    kind: fc.constant("place" as const),
    item: fc.nat(9),
    sprint: fc.constantFrom("this", "next", null),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
/** The commands of each day from before the sprint to after it, and the day it is completed on. */
const plan = fc.record({
  days: fc.array(fc.array(command, { maxLength: 5 }), { minLength: 8, maxLength: 8 }),
  completedOn: fc.integer({ min: START + 1, max: END + 2 }),
});

/** What an item was from an instant on. */
type Event = { id: number; at: string; sprint_id: number | null; story_points: number | null };

test(`the burn-down equals a replay of the history (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 20_000,
}, async () => {
  await fc.assert(fc.asyncProperty(plan, equalsItsReplay), { numRuns: RUNS, seed: SEED, endOnFailure: true });
});

async function equalsItsReplay({
  days,
  completedOn,
}: {
  days: Command[][];
  completedOn: number;
}): Promise<void> {
  const board = await openBoard({}, { timezone: ZONE });
  await setClock(board.company, instantOf(1));
  const sprint = (await board.sprint({ start_date: dateOf(START), end_date: dateOf(END) })).id;
  const next = (await board.sprint({ start_date: dateOf(9), end_date: dateOf(13) })).id;
  const events: Event[] = [];
  const items: number[] = [];
  let [startedAt, completedAt] = ["", ""];
  for (const [index, commands] of days.entries()) {
    const day = index + 1;
    await setClock(board.company, instantOf(day));
    if (day === START) startedAt = must(await board.start(sprint), 200).body.data.started_at ?? "";
    for (const one of commands) {
      const places = { this: completedAt === "" ? sprint : next, next };
      const item = await run(board, one, items, places);
      if (item !== undefined && completedAt === "") events.push({ ...item, at: item.updated_at });
    }
    if (day !== completedOn) continue;
    const completed = must(await board.complete(sprint, next), 200).body.data;
    completedAt = completed.completed_at ?? "";
  }

  const histories = new Map<number, ItemRecord>();
  for (const id of items) histories.set(id, await board.get(id));
  const last = completedOn > END ? completedOn : END;
  for (const unit of ["points", "items"] as const) {
    const at = (instant: string) =>
      scopeAt(events, histories, sprint, unit, instant < completedAt ? instant : completedAt);
    const begun = at(startedAt);
    const expected = Array.from({ length: last - START + 1 }, (_, index) => {
      const day = START + index;
      const { scope, completed } = at(endOf(day));
      const ideal = Math.max(0, (begun.scope - begun.completed) * (1 - index / (END - START)));
      const known = day <= completedOn;
      return {
        date: dateOf(day),
        remaining: known ? scope - completed : null,
        completed: known ? completed : null,
        scope: known ? scope : null,
        ideal: Math.round(ideal * 100) / 100,
      };
    });
    expect(await board.burndown(sprint, unit)).toEqual(expected);
  }
  await expectSound(board.company);
}

/** Runs a command on one of the items made so far; gives the item after it, and nothing where there is none. */
async function run(
  board: Board,
  one: Command,
  items: number[],
  places: { this: number; next: number },
): Promise<ItemRecord | undefined> {
  if (one.kind === "create") {
    const state = { state: one.category, state_category: one.category };
    const made = await board.item({
      ...state,
      story_points: one.points,
      sprint_id: one.joins ? places.this : null,
    });
    items.push(made.id);
    return made;
  }
  const id = items[one.item];
  if (id === undefined) return undefined;
  if (one.kind === "move")
    return must(await board.move(id, { state: one.category, state_category: one.category }), 200).body.data;
  const change =
    one.kind === "estimate"
      ? { story_points: one.points }
      : { sprint_id: one.sprint === null ? null : places[one.sprint] };
  return must(await board.patch(id, change), 200).body.data;
}

/** What the sprint's items came to at an instant: their places and points by the events, their categories by the history. */
function scopeAt(
  events: Event[],
  histories: Map<number, ItemRecord>,
  sprint: number,
  unit: "points" | "items",
  instant: string,
): { scope: number; completed: number } {
  const latest = new Map(events.filter(({ at }) => at <= instant).map((event) => [event.id, event]));
  let [scope, completed] = [0, 0];
  for (const { id, sprint_id: place, story_points: estimate } of latest.values()) {
    const category = categoryAt(histories.get(id), instant);
    if (place !== sprint || category === "removed") continue;
    const share = unit === "items" ? 1 : (estimate ?? 0);
    scope += share;
    if (category === "completed") completed += share;
  }
  return { scope, completed };
}

function categoryAt(item: ItemRecord | undefined, instant: string): string | undefined {
  const changes = item?.status_history ?? [];
  const before = changes.filter(({ changed_at }) => changed_at <= instant).at(-1);
  return before?.to_category ?? changes[0]?.from_category ?? item?.state_category;
}

const dateOf = (day: number) => `2026-11-${String(day).padStart(2, "0")}`;
const instantOf = (day: number) => `${dateOf(day)}T23:30:00+05:30`;
const endOf = (day: number) => new Date(`${dateOf(day)}T23:59:59.999+05:30`).toISOString();
