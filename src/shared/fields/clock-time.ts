import * as z from "zod";

const CLOCK_TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

/** A time of day `HH:MM` on the wire, minutes after midnight inside. */
export const clockTime = z
  .string()
  .regex(CLOCK_TIME, { error: "must be a time HH:MM from 00:00 to 23:59", abort: true })
  .meta({ examples: ["09:30"] })
  .transform(minutesOf);

export const DAY_MINUTES = 24 * 60;
const END_TIME = /^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/;

/** A time of day at which something ends: as `clockTime`, but `24:00` (ISO 8601) and `00:00` are the end of the day. */
export const endTime = z
  .string()
  .regex(END_TIME, { error: "must be a time HH:MM from 00:00 to 24:00", abort: true })
  .meta({ examples: ["17:30"] })
  .transform((time) => minutesOf(time) || DAY_MINUTES);

/** The minutes after midnight of a time `HH:MM`. */
function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** Minutes after midnight as `HH:MM`. */
export function clockTimeToWire(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}
