import { Temporal } from "temporal-polyfill";
import type { Ctx } from "./context.ts";

/** The date at `epochMs` in an IANA time zone, as `YYYY-MM-DD`. */
export function companyDate(epochMs: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString();
}

/** The company's own date at `ctx.now`. */
export function companyToday(ctx: Ctx): string {
  return companyDate(ctx.now, ctx.company.timezone);
}
