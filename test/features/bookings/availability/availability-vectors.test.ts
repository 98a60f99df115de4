import { expect, test } from "vitest";
import vectors from "../../../vectors/availability.json" with { type: "json" };
import { setClock } from "../../commerce.ts";
import { addOverride, newInstructor, offered, openSchool, type School, setRules } from "../../school.ts";
import { bookAt, NOW, TUESDAY, VECTOR_WEEK, vectorSchool } from "./vector-school.ts";

const RULES = { buffer_minutes: 60, pending_hours: 24, slot_length_minutes: 60 };
type Offered = string[] | string | null;
// What only reads, by whatever clock, may be asked of one school.
// What changes the calendar has an instructor of its own, and what changes the rules puts them back.
const still = await vectorSchool();
const changing = await vectorSchool();
const inSydney = await openSchool(
  { timezone: "Australia/Sydney", country: "AU", currency: "AUD" },
  { windows: ["01:00-04:00"] },
);
await setRules(inSydney.company, { buffer_minutes: 0 });

/** The school of the vectors with an instructor who has no bookings yet. */
async function another(): Promise<School> {
  await setRules(changing.company, RULES);
  const { id } = await newInstructor(changing.company, { schedule: VECTOR_WEEK });
  return { ...changing, instructorId: id };
}

async function sydney(date: string, now: string): Promise<Offered> {
  await setClock(inSydney.company, now);
  return offered(inSydney, date);
}

async function asIs(date: string, query = "", now = NOW): Promise<Offered> {
  await setClock(still.company, now);
  return offered(still, date, query);
}

/** What the Tuesday of another instructor offers after a change. */
function after(change: (school: School) => Promise<void>, query = ""): () => Promise<Offered> {
  return async () => {
    const school = await another();
    await change(school);
    return offered(school, TUESDAY, query);
  };
}

// How each case of the vectors comes about, through the API.
const CASES: Record<string, () => Promise<Offered>> = {
  "no bookings": () => asIs(TUESDAY),
  "booking 10:00-11:00": after((school) => bookAt(school, "10:00")),
  "booking 10:00-11:00, buffer 0": after(async (school) => {
    await bookAt(school, "10:00");
    await setRules(school.company, { buffer_minutes: 0 });
  }),
  "duration 90, buffer 0": after(
    ({ company }) => setRules(company, { buffer_minutes: 0 }),
    "&duration_minutes=90",
  ),
  "override available 10:00-11:30": after((school) =>
    addOverride(school, { date: TUESDAY, is_available: true, start: "10:00", end: "11:30" }),
  ),
  "override closed": after((school) => addOverride(school, { date: TUESDAY, is_available: false })),
  "now 08:01 local that day": () => asIs(TUESDAY, "", `${TUESDAY}T08:01:00+05:30`),
  // The company's clock runs on, so this is a minute before; test/features/bookings/availability/slots.test.ts has the instant itself.
  "now 08:00 local exactly": () => asIs(TUESDAY, "", `${TUESDAY}T07:59:00+05:30`),
  "date +90 days (a Sunday)": () => asIs("2027-02-21"),
  "date +91 days": () => asIs("2027-02-22"),
  "date -1 day": () => asIs("2026-11-22"),
  Wednesday: () => asIs("2026-11-25"),
  "duration 240": () => asIs(TUESDAY, "&duration_minutes=240"),
  "now 15:30 local": () => asIs(TUESDAY, "", `${TUESDAY}T15:30:00+05:30`),
  "booked 09:00-17:00": after(async (school) => {
    await setRules(school.company, { buffer_minutes: 0 });
    await bookAt(school, "09:00", "10:00", "11:00", "14:00", "15:00", "16:00");
    await setRules(school.company, { buffer_minutes: 15 });
  }),
  "pending 10:00-11:00 with a live hold, or with no hold expiry": async () => {
    const school = await another();
    await bookAt(school, "10:00");
    const held = await offered(school, TUESDAY);
    const other = await another();
    await setRules(other.company, { pending_hours: 0 });
    await bookAt(other, "10:00");
    expect(await offered(other, TUESDAY)).toEqual(held);
    return held;
  },
  "pending 10:00-11:00, hold expired": async () => {
    const school = await another();
    await setRules(school.company, { pending_hours: 1 });
    await bookAt(school, "10:00");
    await setClock(school.company, "2026-11-23T02:00:00Z");
    const free = await offered(school, TUESDAY);
    await setClock(school.company, NOW);
    return free;
  },
  "unavailable 09:15-09:45, buffer 0, step = duration = 30": after(async (school) => {
    await setRules(school.company, { buffer_minutes: 0, slot_length_minutes: 30 });
    await addOverride(school, { date: TUESDAY, is_available: false, start: "09:15", end: "09:45" });
  }),
  "Australia/Sydney 2026-10-04, window 01:00-04:00, duration 60, buffer 0": () =>
    sydney("2026-10-04", "2026-10-01T00:00:00Z"),
  "Australia/Sydney 2026-04-05, window 01:00-04:00, duration 60, buffer 0": () =>
    sydney("2026-04-05", "2026-04-01T00:00:00Z"),
};

test.each(vectors.cases)("$case", async ({ case: name, expect: expected }) => {
  const arrange = CASES[name];
  if (arrange === undefined) throw new Error(`No arrangement of ${name}`);
  expect(await arrange()).toEqual(expected);
});
