import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** What lines with `fault` begin with, as the code names them; names that are variables are left out. */
function faultsIn(text: string): string[] {
  const named = text.matchAll(/logFault\(\s*(?:"([^"]+)"|`([^`]+)`)/g);
  return [...named].map(([, plain, template = ""]) => plain ?? template.replaceAll(/\$\{[^}]*\}/g, "..."));
}

const page = readFileSync("docs/operate.md", "utf8");
const isNamed = (fault: string) =>
  fault.endsWith(": ...") || fault === "job ..."
    ? page.includes(`\`${fault.slice(0, -3)}`)
    : page.includes(`\`${fault}\``);

it("finds the faults of a text", () => {
  expect(
    faultsIn('logFault("one", error); logFault(`two of ${name}`, error); logFault(name, error)'),
  ).toEqual(["one", "two of ..."]);
});

it("docs/operate.md says what each fault that the code logs means", () => {
  const faults = globSync("src/**/*.ts").flatMap((file) => faultsIn(readFileSync(file, "utf8")));
  expect(faults.length).toBeGreaterThan(20);
  expect([...new Set(faults)].filter((fault) => !isNamed(fault))).toEqual([]);
});
