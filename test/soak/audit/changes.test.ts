import { expect, test } from "vitest";
import type * as z from "zod";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { built, keepRecords, prepare } from "../../support/operations.ts";

type Value = { field: string; from: unknown; to: unknown };
type Entry = { action: string; record: string; changed: string[] | null; values: Value[] };

async function last(company: TestCompany, log = "audit-log"): Promise<Entry> {
  const [entry] = await company.read<Entry[]>(`/settings/:company/${log}?limit=1`);
  if (entry === undefined) throw new Error("The audit log is empty");
  return entry;
}

const updates = built.filter(({ method, scope }) => /^(?:patch|put)$/.test(method) && scope !== "platform");

test.each([...new Set(updates.map(({ area }) => area))])(
  "%s: every update says so, in the words of its record",
  async (area) => {
    const company = keepRecords(await openCompany());
    // What is within another record comes first: the example archives its project.
    const ofArea = updates.filter((one) => one.area === area);
    for (const operation of ofArea.sort((one, other) => other.path.length - one.path.length)) {
      const { method, path, body } = await prepare(company, operation);
      // What is put anew is no update: the second call is one.
      if (method === "PUT") await company.call(method, path, { body });
      const answer = await company.call(method, path, { body });
      const changed = operation.externalIds?.changes ? 200 : operation.status;
      if (answer.status !== changed) throw new Error(`${operation.id}: ${answer.text}`);
      const entry = await last(company, operation.database === "control" ? "audit-log/keys" : "audit-log");
      const fields = Object.keys((operation.result as z.ZodObject).shape);
      const foreign = entry.changed?.filter((name) => !fields.includes(name)) ?? ["no update"];
      expect({ of: entry.action, foreign }).toEqual({ of: operation.id, foreign: [] });
      const [record] = Object.values(answer.body as object).filter((member) => typeof member === "object");
      const became = Object.fromEntries(entry.values.map(({ field, to }) => [field, to]));
      expect({ of: operation.id, ...record }).toMatchObject(became);
    }
  },
);
