import { setClock } from "../../commerce.ts";
import { newBooking, onDay, openSchool, type School, setSchedule } from "../../school.ts";

export const TUESDAY = "2026-11-24";
const WINDOWS = ["09:00-12:00", "14:00-17:00"];
export const NOW = "2026-11-23T00:00:00Z";

/** The week of the instructor of the vectors. */
export const VECTOR_WEEK = [...onDay(2, ...WINDOWS), ...onDay(7, ...WINDOWS)];

/** The school of the vectors: Tuesdays and Sundays. */
export async function vectorSchool(): Promise<School> {
  const school = await openSchool({ timezone: "Asia/Kolkata" });
  await setSchedule(school, VECTOR_WEEK);
  await setClock(school.company, NOW);
  return school;
}

/** Takes slots of that Tuesday, for a learner whom no other instructor has. */
export async function bookAt(school: School, ...starts: string[]): Promise<void> {
  const customer = { name: "Mia Chen", email: `mia.${school.instructorId}@example.com` };
  for (const start_time of starts) await newBooking(school, { booking_date: TUESDAY, start_time, customer });
}
