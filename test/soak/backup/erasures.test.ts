import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { APPLICATIONS, applied, formOf, newJob } from "../../features/hiring.ts";
import { CAPTURE, LEADS } from "../../features/leads/leads.ts";
import { accepted, connect, newNumber, sendSms } from "../../features/messaging/provider.ts";
import { onlyRules } from "../../features/notifications/notified.ts";
import { newBoard } from "../../features/projects/board.ts";
import {
  clientOf,
  companyOf,
  controlRows,
  must,
  openCompany,
  type TestCompany,
} from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { expectSelfCheckSound, suspend, useCommandLine } from "./command.ts";

const DAY = 86_400;
const PATIENT = { timeout: 300_000 };
const ERASED = [
  "deleteEmployee",
  "eraseApplication",
  "eraseContentsBefore",
  "eraseLead",
  "eraseMessagesBefore",
];
const EMPLOYEES = "/settings/:company/employees";
const setting = (name: string) => `/settings/:company/${name}-settings`;

const { ops, done } = useCommandLine();

type Rows = Record<string, Record<string, unknown>[]>;

/** All rows of all tables of a database, but for its epoch and the order of changes, which a restore makes anew. */
async function rowsOf(database: string): Promise<Rows> {
  const client = clientOf(database);
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%' AND name NOT IN ('event_feed', 'record_changes')",
  );
  const tables: Rows = {};
  for (const { name } of rows)
    tables[String(name)] = (await client.execute(`SELECT * FROM "${name}"`)).rows.map((row) => ({ ...row }));
  return tables;
}

const databaseOf = async ({ slug }: TestCompany) =>
  String((await controlRows("SELECT database_name AS name FROM companies WHERE slug = ?", slug))[0]?.name);

/** The actions that the control database knows of its erasures. */
async function erasuresOf({ slug }: TestCompany): Promise<unknown[]> {
  const sql =
    "SELECT action FROM erasures JOIN companies ON companies.id = company_id WHERE slug = ? ORDER BY action";
  return (await controlRows(sql, slug)).map(({ action }) => action);
}

/** A company with what is old and what is young of each kind, its backup, and then all that is old erased. */
async function erasedSince() {
  const company = await openCompany();
  // Mails of a lead or an application would stand beside what is counted here.
  await onlyRules(company, {});
  const { slug } = await newJob(company);
  await connect(company, "msg91");
  const lead = async (name: string) => {
    const person = { name, email: `${name}@mail.example` };
    const body = formOf([...Object.entries(person), ["attachment", pdf(), `${name}.pdf`]]);
    must(await company.call("POST", CAPTURE, { body }), 200);
  };
  const { id: leaves } = await company.make<{ id: number }>(EMPLOYEES, { name: "Leela" });
  const board = await newBoard(company);
  const item = await board.item({ title: "Scan a code", assigned_to: leaves });
  await lead("old");
  await applied(company, slug, { email: "old@mail.example" });
  const old = accepted(await sendSms(company, { to: newNumber() }));
  await company.clock(20 * DAY);
  await lead("young");
  await applied(company, slug, { email: "young@mail.example" });
  const young = accepted(await sendSms(company, { to: newNumber() }));
  // Whatever came of them, nothing more does.
  const settled = async () => {
    const { message_recipients: sent = [] } = await rowsOf(company.namespace);
    return sent.every(({ status }) => status === "submitted" || status === "failed");
  };
  await expect.poll(settled).toBe(true);

  const { file, before } = await backedUp(company);

  must(await board.patch(item.id, { assigned_to: null }), 200);
  must(await company.call("DELETE", `${EMPLOYEES}/${leaves}`), 200);
  for (const name of ["lead", "recruitment"]) await company.change(setting(name), { retention_days: 30 });
  await company.change(setting("messaging"), { content_days: 5, message_days: 30 });
  await company.clock(31 * DAY);
  await company.sweep(async () => (await erasuresOf(company)).length >= 5);
  const live = await rowsOf(company.namespace);
  expect([live.leads?.length, live.applications?.length, live.messages?.length]).toEqual([1, 1, 1]);
  await suspend(company);
  return { company, file, before, leaves, old, young };
}

/** A backup and the rows that it has: made again where the company's clock wrote in between, such as a link of the audit log. */
async function backedUp(company: TestCompany): Promise<{ file: string; before: Rows }> {
  for (let take = 1; ; take += 1) {
    const file = `${company.slug}-${take}.backup`;
    const before = await rowsOf(company.namespace);
    await done("backup", company.slug, file);
    if (isDeepStrictEqual(await rowsOf(company.namespace), before)) return { file, before };
  }
}

/** The rows of a backup without those that were erased since; the log alone has more, and says so. */
function expectRid(
  after: Rows,
  { before, leaves, old, young }: Awaited<ReturnType<typeof erasedSince>>,
  differing: readonly string[] = [],
): void {
  const without = (table: string, gone: (row: Record<string, unknown>) => boolean) =>
    before[table]?.filter((row) => !gone(row));
  const expected: Rows = {
    ...before,
    leads: without("leads", ({ email }) => email === "old@mail.example") ?? [],
    lead_submissions: without("lead_submissions", ({ lead_id }) => lead_id === 1) ?? [],
    applications: without("applications", ({ email }) => email === "old@mail.example") ?? [],
    messages: (without("messages", ({ id }) => id === old) ?? []).map((row) => ({ ...row, content: null })),
    message_recipients: without("message_recipients", ({ message_id }) => message_id === old) ?? [],
    employees: without("employees", ({ id }) => id === leaves) ?? [],
    work_items: (before.work_items ?? []).map((row) => ({ ...row, assigned_to: null })),
    events: (before.events ?? []).map((row) =>
      row.resource === "message" || String(row.snapshot).includes("old@mail.example")
        ? { ...row, snapshot: null }
        : row,
    ),
  };
  expect(expected.messages?.map(({ id }) => id)).toEqual([young]);
  for (const [table, rows] of Object.entries(expected)) {
    // The first four say what is so now: its own name, and what the control database has of it, with the notices of that.
    const others = ["database_name", "database_generation", "company_copy", "key_copies"];
    const notices = ["notifications", "setting_changes"];
    if ([...others, ...notices, "audit_log", ...differing].includes(table)) continue;
    expect(after[table], table).toEqual(rows);
  }
  expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
  const log = before.audit_log ?? [];
  expect(after.audit_log?.slice(0, log.length)).toEqual(log);
  const noted = after.audit_log?.slice(log.length).map(({ actor, action }) => `${actor} ${action}`);
  expect(noted?.toSorted()).toEqual(ERASED.map((action) => `restore ${action}`));
}

test(
  "what was erased after a backup is gone after its restore, also where the database is lost, and all else is as it was",
  PATIENT,
  async () => {
    const made = await erasedSince();
    const { company, file } = made;
    const restored = await done("restore", file, "--into", company.slug);
    expect(restored.stdout).toContain("5 erasures done again, self-check sound");
    expectRid(await rowsOf(await databaseOf(company)), made);
    // Receivers drop what is older than what they had, and they had what the backup does not know.
    const { rows: numbers } = await clientOf(await databaseOf(company)).execute(
      "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
    );
    expect(Number(numbers[0]?.seq)).toBeGreaterThan(1_000_000);
    expect(await company.files("leads")).toHaveLength(1);
    expect(await company.files("resumes")).toHaveLength(1);

    const slug = `${company.slug}-2`;
    const again = await done("restore", file, "--as", slug, "--json");
    const said = JSON.parse(again.stdout);
    expect(said).toMatchObject({ slug, erased: 5, files: { stored: 2, present: 0, missing: [] } });
    const copy = await companyOf(said);
    expectRid(await rowsOf(copy.namespace), made, ["audit_keys", "messaging_providers", "operations"]);
    must(await copy.patch({ status: "active" }), 200);
    await expect.poll(async () => (await copy.call("GET", `${LEADS}/2`)).status).toBe(200);
    expect((await copy.call("GET", `${LEADS}/1`)).status).toBe(404);
    expect((await copy.call("GET", `${APPLICATIONS}/1/resume`)).status).toBe(404);
    expect(must(await copy.call("GET", `${APPLICATIONS}/2/resume`), 200).text).toContain("%PDF");
    await expectSelfCheckSound(copy);

    // The same where the company's database is lost: what was erased is in the control database alone.
    await done("company", "remove-spare", company.slug, company.namespace);
    await controlRows(
      "UPDATE companies SET database_url = replace(database_url, database_name, 'lost') WHERE slug = ?",
      company.slug,
    );
    const lost = await ops("restore", file, "--into", company.slug);
    expect(lost.code).toBe(0);
    expect(lost.stderr).toContain("did not report what was erased since");
    expect(lost.stdout).toContain("5 erasures done again, self-check sound");
    expectRid(await rowsOf(await databaseOf(company)), made);
    expect(await erasuresOf(company)).toEqual(ERASED);
  },
);
