import { setClock } from "../../commerce.ts";
import { newBooking, onDay, openSchool, type School, setSchedule } from "../../school.ts";

export const TUESDAY = "2026-11-24";
const WINDOWS = ["09:00-12:00", "14:00-17:00"];
export const NOW = "2026-11-23T00:00:00Z";

/** The school of the vectors: Tuesdays and Sundays. */
export async function vectorSchool(): Promise<School> {
  const school = await openSchool({ timezone: "Asia/Kolkata" });
  await setSchedule(school, [...onDay(2, ...WINDOWS), ...onDay(7, ...WINDOWS)]);
  await setClock(school.company, NOW);
  return school;
}

/** Takes slots of that Tuesday. */
export async function bookAt(school: School, ...starts: string[]): Promise<void> {
  for (const start_time of starts) await newBooking(school, { booking_date: TUESDAY, start_time });
}
