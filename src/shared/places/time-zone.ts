import * as z from "zod";

/** An IANA time zone that the runtime knows. */
export const timeZone = z.string().refine(isTimeZone, {
  params: { code: "invalid_timezone" },
  error: "must be an IANA time zone such as Asia/Kolkata",
});

// Offsets such as +05:30 are taken by Intl too, but have no daylight saving and no name.
function isTimeZone(name: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "" &&
      !/^[+-]/.test(name)
    );
  } catch {
    return false;
  }
}
