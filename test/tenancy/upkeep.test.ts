import { expect, test } from "vitest";
import { wrongField } from "../features/refusal.ts";
import { blockDatabase } from "../support/block-database.ts";
import { must, openCompany, platform, platformRead, type TestCompany } from "../support/company.ts";

type Status = {
  reachable: boolean;
  schema: string | null;
  bytes: number;
  blocked: string | null;
  fault: string | null;
  backed_up_at: string | null;
  backup_bytes: number | null;
  checked_at: string | null;
  broken_rules: number | null;
};

const company = await openCompany();

const of = (slug: string, rest: string) => `/platform/companies/${slug}/${rest}`;
const statusOf = ({ slug }: TestCompany) => platformRead<Status>(of(slug, "status"));

test("a company's status says its schema, size, breakers and backlog, and what was never done", async () => {
  expect(await statusOf(company)).toMatchObject({
    slug: company.slug,
    status: "active",
    reachable: true,
    schema: "current",
    bytes: expect.any(Number),
    blocked: "none",
    fault: null,
    breaker: { reads: "closed", writes: "closed" },
    waiting: 0,
    overdue: 0,
    providers: [],
    backed_up_at: null,
    backup_bytes: null,
    checked_at: null,
    broken_rules: null,
  });
});

test("the newest backup is recorded; an earlier one changes nothing, and one of the future is refused", async () => {
  const path = of(company.slug, "backups");
  const newest = { taken_at: "2026-03-02T00:00:00.000Z", bytes: 200 };
  const earlier = { taken_at: "2026-03-01T00:00:00.000Z", bytes: 100 };
  for (const body of [newest, earlier]) must(await platform("POST", path, body), 200);
  expect(await statusOf(company)).toMatchObject({ backed_up_at: newest.taken_at, backup_bytes: 200 });
  const future = { taken_at: new Date(Date.now() + 3_600_000).toISOString(), bytes: 1 };
  expect(await platform("POST", path, future)).toMatchObject(wrongField("taken_at"));
  expect((await platform("POST", of("no-such-company", "backups"), newest)).status).toBe(404);
});

test("a check is recorded with how many rules were broken, and a check that only reads is not", async () => {
  const other = await openCompany();
  const path = `/platform/self-check/${other.slug}`;
  must(await platform("GET", path), 200);
  expect((await statusOf(other)).checked_at).toBeNull();
  const before = Date.now();
  expect(must(await platform("POST", path), 200).body.data).toMatchObject({ sound: true, broken: [] });
  const sound = await statusOf(other);
  expect(Date.parse(sound.checked_at ?? "")).toBeGreaterThanOrEqual(before - 1);
  expect(sound.broken_rules).toBe(0);
  await other.database().execute("CREATE TABLE stray (id INTEGER PRIMARY KEY) STRICT");
  must(await platform("POST", path), 200);
  expect((await statusOf(other)).broken_rules).toBe(1);
  const listed = await platformRead(`/platform/companies/${other.slug}`);
  expect(listed).toMatchObject({ checked_at: expect.any(String), broken_rules: 1, backed_up_at: null });
});

test("a company that is behind, or does not answer, or is closed, has a status too", async () => {
  const other = await openCompany();
  await other.database().execute("DELETE FROM migrations WHERE name LIKE '26_%'");
  expect((await statusOf(other)).schema).toBe("behind");
  await other.database().execute("UPDATE migrations SET sha256 = 'another' WHERE name = '02_core'");
  expect((await statusOf(other)).schema).toBe("other");
  await other.faults({ kind: "reset_before" });
  expect(await statusOf(other)).toMatchObject({
    reachable: false,
    schema: null,
    bytes: null,
    fault: "unavailable",
  });
  await other.faults();
  must(await platform("POST", of(other.slug, "close")), 200);
  expect(await statusOf(other)).toMatchObject({ status: "closed", reachable: false, schema: null });
});

test("a company whose database its server blocks, wholly or for writes, has a status that says so", async () => {
  const other = await openCompany();
  await blockDatabase(other, { reads: false, writes: true });
  expect(await statusOf(other)).toMatchObject({ reachable: true, schema: "current", blocked: "writes" });
  await blockDatabase(other, { reads: true, writes: true });
  expect(await statusOf(other)).toMatchObject({ reachable: false, schema: null, blocked: "all" });
  await blockDatabase(other, { reads: false, writes: false });
  expect(await statusOf(other)).toMatchObject({ reachable: true, blocked: "none" });
});

test("a company whose writes get no answer is not said to be blocked", async () => {
  const other = await openCompany();
  await other.faults({ kind: "status", status: 502, writes_only: true });
  expect(await statusOf(other)).toMatchObject({
    reachable: true,
    schema: "current",
    blocked: null,
    fault: "writes_unavailable",
  });
  await other.faults();
});
