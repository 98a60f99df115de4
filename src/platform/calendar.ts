import type { ReadCtx } from "./context.ts";

// Making a formatter costs a hundred times what using it does; there are as many as time zones in use.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The date at `epochMs` in an IANA time zone, as `YYYY-MM-DD`. */
export function companyDate(epochMs: number, timezone: string): string {
  let formatter = formatters.get(timezone);
  if (formatter === undefined) {
    // Canadian English writes dates as ISO 8601 does.
    formatter = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" });
    formatters.set(timezone, formatter);
  }
  return formatter.format(epochMs);
}

/** The company's own date at `ctx.now`. */
export function companyToday(ctx: ReadCtx): string {
  return companyDate(ctx.now, ctx.company.timezone);
}
