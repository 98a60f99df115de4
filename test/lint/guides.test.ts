import { expect, it } from "vitest";
import { guidePorts, readGuides } from "../soak/guides/guide.ts";

const guides = readGuides();

it("each guide that starts something has a port of its own", () => {
  const used = guides.flatMap(guidePorts);
  expect(used.length).toBeGreaterThan(2);
  expect(new Set(used).size).toBe(used.length);
});

it("the last block of each guide ends what its blocks have started", () => {
  const starting = guides.filter(({ text }) => / &\n/.test(text));
  expect(starting.map(guidePorts).map(({ length }) => length)).toEqual(starting.map(() => 1));
  for (const { name, steps, text } of starting) {
    const started = new Set([...text.matchAll(/ &\n([A-Z]+)=\$!\n/g)].map(([, variable]) => variable));
    expect([name, text.match(/ &\n(?![A-Z]+=\$!)/g)]).toEqual([name, null]);
    const last = steps.findLast(({ sh }) => sh !== undefined)?.sh;
    for (const variable of started) expect(last, name).toContain(`kill $${variable}`);
  }
});
