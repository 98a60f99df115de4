import { expect } from "vitest";

/** The properties of each event, read as RFC 5545 has it: unfolded, and text without its escapes. */
export function parseCalendar(text: string): Record<string, string>[] {
  for (const line of text.split("\r\n")) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(Buffer.from(line).toString()).not.toContain("\ufffd");
    expect(line).not.toMatch(/[\n\r]/);
  }
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n[\s\S]*END:VCALENDAR\r\n$/);
  const lines = text.replaceAll("\r\n ", "").split("\r\n");
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^([A-Z-]+)[^:]*:(.*)$/.exec(line) ?? [];
    if (line === "BEGIN:VEVENT") events.push({});
    else if (events.length > 0 && name !== "END")
      Object.assign(events.at(-1) ?? {}, {
        [name]: value.replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c)),
      });
  }
  return events;
}
