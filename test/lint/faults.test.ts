import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Metrics } from "../../src/self-host/metrics.ts";

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

/** The faults that are 0 in the metrics of a process that has just begun. */
async function faultsAtZero(): Promise<string[]> {
  const text = await new Metrics(() => Promise.reject(new Error("It does not answer"))).text();
  return [...text.matchAll(/^company_operations_faults_total\{fault="([a-z_]+)"\} 0$/gm)].map(
    ([, fault = ""]) => fault,
  );
}

it("the metrics begin with each fault of docs/operate.md at 0", async () => {
  const [, table = ""] = /^\| fault \| what it means \|\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = table.trimEnd().split("\n");
  const codes = rows.flatMap((row) => row.split("|")[1]?.match(/[a-z_]+/g) ?? []);
  expect((await faultsAtZero()).toSorted()).toEqual(codes.toSorted());
});

it("each fault that an alert of docs/operate.md names is one that the metrics have", async () => {
  const known = await faultsAtZero();
  const alerts = [...page.matchAll(/\{fault=~?"([^"]+)"\}/g)].map(([, one = ""]) =>
    one.replaceAll("\\|", "|"),
  );
  expect(alerts.length).toBeGreaterThan(2);
  for (const alert of alerts) {
    const matched = known.filter((fault) => new RegExp(`^(?:${alert})$`).test(fault));
    expect(matched, alert).toHaveLength(alert.split("|").length);
  }
});

it("a fault's code holds no id: alerts count by it", () => {
  // The kinds of a database's failures, and of what a callback does not know, are words of the code.
  expect([...faults].filter((fault) => !/^[a-z_]+$/.test(fault))).toEqual(["callback_...", "database_..."]);
});
