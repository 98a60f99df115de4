import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import {
  bookableDays,
  type Calendar,
  FREE,
  firstOffer,
  offerOn,
  type SlotSettings,
  type WeeklyWindow,
} from "../../../../src/features/bookings/availability/slots.ts";

const RULES: SlotSettings = {
  timezone: "Asia/Kolkata",
  slotLength: 60,
  slotStep: 60,
  buffer: 15,
  minNotice: 120,
  advanceDays: 90,
};
const TUESDAY = "2026-11-24";
const week: WeeklyWindow[] = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => [
  { weekday, start: 540, end: 720 },
  { weekday, start: 840, end: 1_020 },
]);
const calendar: Calendar = { schedule: week, overrides: [], busy: FREE };
const starts = (given: Partial<Calendar>, now: string, rules: Partial<SlotSettings> = {}) =>
  offerOn({ ...calendar, ...given }, TUESDAY, { ...RULES, ...rules }, 60, Date.parse(now)).slots.map(
    ({ minute }) => minute / 60,
  );

test("the minimum notice is met by a start at its very end, and by none a millisecond before", () => {
  expect(starts({}, `${TUESDAY}T08:00:00.000+05:30`)).toEqual([10, 11, 14, 15, 16]);
  expect(starts({}, `${TUESDAY}T08:00:00.001+05:30`)).toEqual([11, 14, 15, 16]);
});

const minute = fc.nat({ max: 1_439 });
const span = fc.tuple(minute, minute).filter(([start, end]) => start < end);
const zones = ["Asia/Kolkata", "Australia/Sydney", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"];
const CHANGES = [
  "2026-10-04",
  "2026-04-05",
  "2026-03-08",
  "2026-11-01",
  "2026-04-24",
  "2026-10-29",
  "2026-06-15",
];

/** The rule, minute by minute and with Temporal, as its reader would apply it by hand. */
function reference(
  { schedule, overrides, busy }: Calendar,
  date: string,
  rules: SlotSettings,
  duration: number,
  now: number,
) {
  const day = Temporal.PlainDate.from(date);
  const ofDate = overrides.filter((one) => one.date === date);
  if (ofDate.some(({ start }) => start === null)) return [];
  const replacing = ofDate.filter(({ available }) => available);
  const open = new Uint8Array(1_441);
  const windows =
    replacing.length > 0 ? replacing : schedule.filter(({ weekday }) => weekday === day.dayOfWeek);
  for (const { start, end } of windows) open.fill(1, start ?? 0, end ?? 0);
  for (const { available, start, end } of ofDate) if (!available) open.fill(0, start ?? 0, end ?? 0);
  const found: number[] = [];
  let begin = -1;
  for (let at = 0; at <= 1_440; at += 1) {
    if (open[at] === 1 && begin < 0) begin = at;
    if (open[at] === 1 || begin < 0) continue;
    for (let start = begin; start + duration <= at; start += rules.slotStep) {
      const [from, to] = [start, start + duration].map((minutes) => {
        const local = day.toPlainDateTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
        const zoned = local.toZonedDateTime(rules.timezone, { disambiguation: "earlier" });
        return zoned.toPlainDateTime().equals(local) ? zoned.epochMilliseconds : Number.NaN;
      }) as [number, number];
      const buffer = rules.buffer * 60_000;
      const taken = busy.starts.some(
        (other, index) => other < to + buffer && (busy.ends[index] ?? 0) + buffer > from,
      );
      if (to - from === duration * 60_000 && from >= now + rules.minNotice * 60_000 && !taken)
        found.push(start);
    }
    begin = -1;
  }
  return found;
}

test("any calendar offers what the rule says, on days of a clock change too", async () => {
  const arbitrary = fc.record({
    timezone: fc.constantFrom(...zones),
    date: fc.constantFrom(...CHANGES),
    windows: fc.array(span, { maxLength: 4 }),
    overrides: fc.array(fc.record({ available: fc.boolean(), span }), { maxLength: 2 }),
    bookings: fc.array(fc.tuple(fc.integer({ min: -120, max: 1_560 }), fc.integer({ min: 15, max: 200 })), {
      maxLength: 6,
    }),
    duration: fc.integer({ min: 15, max: 240 }),
    slotStep: fc.integer({ min: 5, max: 120 }),
    buffer: fc.nat({ max: 60 }),
    minNotice: fc.nat({ max: 1_440 }),
    ahead: fc.integer({ min: 0, max: 36 }),
  });
  await fc.assert(
    fc.property(arbitrary, (given) => {
      const { timezone, date, duration } = given;
      const midnight = Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
      const weekday = Temporal.PlainDate.from(date).dayOfWeek;
      const busy = { starts: [] as number[], ends: [] as number[] };
      for (const [from, length] of given.bookings.toSorted((one, other) => one[0] - other[0])) {
        const start = midnight + from * 60_000;
        if (start < (busy.ends.at(-1) ?? 0)) continue;
        busy.starts.push(start);
        busy.ends.push(start + length * 60_000);
      }
      const one: Calendar = {
        schedule: given.windows.map(([start, end]) => ({ weekday, start, end })),
        overrides: given.overrides.map(({ available, span: [start, end] }) => ({
          date,
          available,
          start,
          end,
        })),
        busy,
      };
      const rules = { ...RULES, ...given, slotLength: duration };
      const now = midnight - given.ahead * 3_600_000;
      const { slots, reason } = offerOn(one, date, rules, duration, now);
      expect(slots.map((slot) => slot.minute)).toEqual(reference(one, date, rules, duration, now));
      expect(slots.length > 0).toBe(reason === null);
      for (const { startAt } of slots) expect(startAt).toBeGreaterThanOrEqual(now);
    }),
    { numRuns: 400 },
  );
});

test("the first offer is the first slot of the first date that has one", () => {
  const now = Date.parse("2026-11-21T00:00:00Z");
  const late: Calendar = { ...calendar, schedule: [{ weekday: 3, start: 600, end: 700 }] };
  const rules = { ...RULES, timezone: "Australia/Sydney" };
  const first = firstOffer(late, bookableDays(rules, now), rules, 60, now);
  expect(first).toEqual({
    date: "2026-11-25",
    slot: { minute: 600, startAt: Date.parse("2026-11-25T10:00:00+11:00") },
  });
  expect(firstOffer({ ...late, schedule: [] }, bookableDays(rules, now), rules, 60, now)).toBeNull();
  expect(bookableDays(rules, now)).toHaveLength(91);
});
