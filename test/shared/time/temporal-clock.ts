import { Temporal } from "temporal-polyfill";

/** The instant of a local time as Temporal says it: undefined in a gap, the earlier of two. */
export function temporalClock(date: string, minute: number, timezone: string): number | undefined {
  const hour = Math.floor(minute / 60);
  const local = Temporal.PlainDate.from(date).toPlainDateTime({ hour, minute: minute % 60 });
  const zoned = local.toZonedDateTime(timezone, { disambiguation: "earlier" });
  return zoned.toPlainDateTime().equals(local) ? zoned.epochMilliseconds : undefined;
}
