import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The codes of lines with `fault`, as the code names them; those that are variables are left out. */
function faultsIn(text: string): string[] {
  const named = text.matchAll(/logFault\(\s*(?:"([^"]+)"|`([^`]+)`)/g);
  return [...named].map(([, plain, template = ""]) => plain ?? template.replaceAll(/\$\{[^}]*\}/g, "..."));
}

const faults = new Set(globSync("src/**/*.ts").flatMap((file) => faultsIn(readFileSync(file, "utf8"))));
const page = readFileSync("docs/operate.md", "utf8");
const isNamed = (fault: string) => page.includes(`\`${fault.replace(/\.\.\.$/, "")}`);

it("finds the faults of a text", () => {
  expect(faultsIn('logFault("one", error); logFault(`two_${kind}`, error); logFault(name, error)')).toEqual([
    "one",
    "two_...",
  ]);
});

it("docs/operate.md says what each fault that the code logs means", () => {
  expect(faults.size).toBeGreaterThan(20);
  expect([...faults].filter((fault) => !isNamed(fault))).toEqual([]);
});

it("a fault's code holds no id: alerts count by it", () => {
  // The kinds of a database's failures are words of the code.
  expect([...faults].filter((fault) => !/^[a-z_]+$/.test(fault))).toEqual(["database_..."]);
});
