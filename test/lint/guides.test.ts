import { expect, it } from "vitest";
import { guidePorts, readGuides } from "../soak/guides/guide.ts";

it("each guide that starts something has a port of its own, and a last block that ends it", () => {
  const starting = readGuides().filter(({ text }) => / &\n/.test(text));
  expect(starting.length).toBeGreaterThan(2);
  expect(new Set(starting.flatMap(guidePorts)).size).toBe(starting.length);
  for (const { steps, text } of starting) {
    const [, variable] = / &\n([A-Z]+)=\$!\n/.exec(text) ?? [];
    expect(steps.findLast(({ sh }) => sh !== undefined)?.sh).toContain(`kill $${variable}`);
  }
});
