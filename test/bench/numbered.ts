/** Each instructor's own student, as no student has two lessons at one time. */
export const STUDENT = { name: "Mia Chen", email: "mia-#@example.com" };
/** A number of its own, and one of a hundred work items in turn. */
export const NUMBER = "########";
export const ITEM = "###";
/** What stands in a request for a free slot; each as long as what takes its place. */
export const SLOT = { instructor_id: "@", booking_date: "@@@@-@@-@@", start_time: "@@:@@" };
export const INSTRUCTORS = 5;
export const SLOT_MINUTES = 15;

const FIRST_ITEM = 101;
const ITEMS = 100;
const SLOTS_OF_DAY = 90;
const DAY_MS = 86_400_000;

/** The request's text with what its number makes of it. Of slots, the instructors take turns, then the day goes on. */
export function numbered(text: string, number: number): string {
  const place = Math.floor(number / INSTRUCTORS);
  const minutes = (place % SLOTS_OF_DAY) * SLOT_MINUTES;
  const day = new Date(Date.now() + (2 + Math.floor(place / SLOTS_OF_DAY)) * DAY_MS);
  const time = new Date(minutes * 60_000).toISOString().slice(11, 16);
  return text
    .replace(NUMBER, String(number).padStart(NUMBER.length, "0"))
    .replace(ITEM, String(FIRST_ITEM + (number % ITEMS)))
    .replace(`"${SLOT.instructor_id}"`, `"${1 + (number % INSTRUCTORS)}"`)
    .replace("#", `${1 + (number % INSTRUCTORS)}`)
    .replace(SLOT.booking_date, day.toISOString().slice(0, 10))
    .replace(SLOT.start_time, time);
}
