import { expect, test } from "vitest";
import {
  controlRows,
  type Key,
  must,
  openCompany,
  platform,
  platformRead,
  runCron,
  type TestCompany,
} from "../../support/company.ts";
import { lose } from "./recovery.ts";

type Adopted = { outcome: string; reason: string | null } & Record<`keys_${string}`, string[]>;

const claimOf = ({ namespace }: TestCompany) =>
  platformRead<{ digest: string }>(`/platform/databases/${namespace}`);
const adoptAs = ({ namespace }: TestCompany, digest: string) =>
  platform<Adopted>("POST", `/platform/databases/${namespace}/adopt`, { digest });
const adopt = async (company: TestCompany) =>
  must(await adoptAs(company, (await claimOf(company)).digest ?? "0".repeat(64)), 200).body.data;
const statusOf = async (company: TestCompany, key: Key) =>
  (await company.call("GET", "/customers/:company", { key })).status;
const copies = (company: TestCompany) => company.rows("SELECT * FROM key_copies ORDER BY client_id");
const keysOf = async ({ slug }: TestCompany) => {
  const rows = await controlRows(
    "SELECT api_keys.* FROM api_keys JOIN companies ON companies.id = company_id WHERE slug = ? ORDER BY client_id",
    slug,
  );
  return rows.map(({ id, company_id, last_used_at, issued_by, ...row }) => row);
};
const companyIn = async (company: TestCompany) => (await company.rows("SELECT * FROM company_copy"))[0] ?? {};
const path = ({ client_id }: Key) => `/settings/:company/keys/${client_id}`;

const refusedFor = (said: string) => ({ outcome: "refused", reason: expect.stringContaining(said) });

test("the company's own database holds what the control database says of its company and keys, and no secret", async () => {
  const company = await openCompany();
  const key = await company.key("customers:read", "keys:read");
  const other = await company.publishableKey("https://book.example.com");
  must(await company.call("PATCH", path(key), { body: { scopes: ["customers:read"], name: "Less" } }), 200);
  must(await company.call("PATCH", path(key), { body: { rate_limit_per_minute: 900 } }), 200);
  const rotated = await company.call<Key>("POST", `${path(key)}/rotate`, {
    body: { overlap_seconds: 3_600 },
  });
  must(await company.call("DELETE", path(other)), 200);
  must(await platform("POST", `/platform/companies/${company.slug}/keys`), 201);
  must(await company.patch({ name: "Asha and Sons", max_rate_limit_per_minute: 700 }), 200);
  const held = await copies(company);
  expect(held).toHaveLength(4);
  expect(held).toEqual(await keysOf(company));
  expect(held.find((one) => one.client_id === other.client_id)?.revoked_at).toEqual(expect.any(Number));
  const rows = await controlRows("SELECT * FROM companies WHERE slug = ?", company.slug);
  expect(rows[0]).toMatchObject({ name: "Asha and Sons", id: (await companyIn(company)).company_id });
  const { id: _, company_id: __, ...copied } = await companyIn(company);
  expect(rows[0]).toMatchObject(copied);
  expect(JSON.stringify(held)).not.toContain(rotated.body.data.client_secret);
  expect(JSON.stringify(held)).not.toContain(company.admin.client_secret);
});

test("a company that the control database has lost works again with its keys, and a revoked one does not", async () => {
  const company = await openCompany();
  const [good, bad] = [await company.key("customers:read"), await company.key("customers:read")];
  must(await company.call("DELETE", path(bad)), 200);
  const before = await keysOf(company);
  await lose(company);
  await expect.poll(() => statusOf(company, good)).toBe(401);
  expect(await adopt(company)).toMatchObject({ outcome: "opened", reason: null, keys_revoked: [] });
  expect(await keysOf(company)).toEqual(before);
  await expect.poll(() => statusOf(company, good)).toBe(200);
  expect(await statusOf(company, bad)).toBe(401);
  expect(await adopt(company)).toMatchObject({ outcome: "unchanged", keys_added: [] });
  expect(await company.read("/settings/:company/audit-log/keys")).toMatchObject([
    { action: "adoptDatabase", record: company.namespace, actor: "platform" },
    {},
    {},
    {},
  ]);
});

test("a revocation in either copy wins, a later change too, and a key that is known to the copy alone is taken in", async () => {
  const company = await openCompany();
  const make = () => company.key("customers:read");
  const [here, there, unknown, narrowed] = [await make(), await make(), await make(), await make()];
  const set = (sql: string, key: Key) => controlRows(`${sql} WHERE client_id = ?`, key.client_id);
  must(await company.call("DELETE", path(there)), 200);
  must(await company.call("PATCH", path(narrowed), { body: { scopes: [] } }), 200);
  await set("UPDATE api_keys SET revoked_at = NULL, updated_at = created_at", there);
  await set(`UPDATE api_keys SET scopes = '["customers:read"]', updated_at = created_at`, narrowed);
  await set("UPDATE api_keys SET revoked_at = 7", here);
  await set("DELETE FROM api_keys", unknown);
  expect(await adopt(company)).toMatchObject({
    outcome: "changed",
    keys_added: [unknown.client_id],
    keys_revoked: [there.client_id],
  });
  await expect.poll(() => statusOf(company, unknown)).toBe(200);
  await expect.poll(() => statusOf(company, there)).toBe(401);
  await expect.poll(() => statusOf(company, here)).toBe(401);
  await expect.poll(() => statusOf(company, narrowed)).toBe(403);
  expect(await copies(company)).toEqual(await keysOf(company));
});

test("a suspension in either copy wins", async () => {
  const company = await openCompany();
  must(await company.patch({ status: "suspended" }), 200);
  await controlRows("UPDATE companies SET status = 'active' WHERE slug = ?", company.slug);
  expect(await adopt(company)).toMatchObject({ outcome: "changed" });
  await expect.poll(() => statusOf(company, company.admin)).toBe(403);
});

test("a database cannot take the slug, the id or a key of another company", async () => {
  const [victim, forger] = [await openCompany(), await openCompany()];
  const own = await companyIn(forger);
  await forger.rows("UPDATE company_copy SET slug = ?", victim.slug);
  expect(await adopt(forger)).toMatchObject(refusedFor(victim.slug));
  await lose(forger);
  expect(await adopt(forger)).toMatchObject(refusedFor(`${victim.slug} is another company here`));
  const { company_id: of } = await companyIn(victim);
  await forger.rows("UPDATE company_copy SET slug = ?, company_id = ?", forger.slug, Number(of));
  expect(await adopt(forger)).toMatchObject(refusedFor(victim.slug));
  await forger.rows("UPDATE company_copy SET company_id = ?", Number(own.company_id));
  await forger.rows("UPDATE key_copies SET client_id = ?", victim.admin.client_id);
  expect(await adopt(forger)).toMatchObject({
    outcome: "opened",
    keys_refused: [victim.admin.client_id],
    keys_added: [],
  });
  expect(await statusOf(victim, victim.admin)).toBe(200);
  expect(await statusOf(forger, victim.admin)).not.toBe(200);
  await forger.rows("UPDATE key_copies SET client_id = 'no id'");
  expect(await adopt(forger)).toMatchObject({ outcome: "left", reason: expect.any(String) });
  await forger.rows("UPDATE database_name SET name = 'another'");
  expect(await adopt(forger)).toMatchObject({ outcome: "left", reason: "it does not bear its own name" });
});

test.each([
  ["a right that there is not", `scopes = '["platform","*"]'`],
  [
    "rights of another type of key",
    `type = 'publishable', secret_hash = NULL, allowed_origins = '["https://a.example"]'`,
  ],
  [
    "an origin that is anybody's",
    `type = 'publishable', secret_hash = NULL, scopes = '[]', allowed_origins = '["*"]'`,
  ],
  ["a name that steers a terminal", "name = 'a' || char(27) || '[2J'"],
  ["a time that has not come", "updated_at = 4102444800000"],
])("a key with %s is no key, and nothing of its copy is taken in", async (_, change) => {
  const company = await openCompany();
  await company.rows(`UPDATE key_copies SET ${change}`);
  await lose(company);
  expect(await adopt(company)).toMatchObject({ outcome: "left", keys_added: [], reason: expect.any(String) });
});

test("a revocation that is refused leaves the copy as it was", async () => {
  const company = await openCompany();
  const refused = await company.call("DELETE", path(company.admin));
  expect(refused.status).toBe(409);
  expect(await copies(company)).toEqual(await keysOf(company));
});

test("a copy that could not be written is written by the hourly jobs, and its key works all the same", async () => {
  const company = await openCompany();
  await company.faults({ kind: "status", status: 400, writes_only: true });
  const key = await company.key("customers:read");
  must(await company.call("DELETE", path(await company.key("customers:read"))), 200);
  await company.faults();
  expect(await copies(company)).toHaveLength(1);
  expect(await statusOf(company, key)).toBe(200);
  await company.sweep(async () => (await copies(company)).length === 3);
  expect(await copies(company)).toEqual(await keysOf(company));
  await company.rows("DELETE FROM key_copies");
  must(await platform("POST", `/platform/companies/${company.slug}/migrations`), 200);
  expect(await copies(company)).toEqual(await keysOf(company));
});

test("what is no company's database is left, and nothing waits where no restore was", async () => {
  for (const name of ["control", "no-such-database"]) {
    const body = { digest: "0".repeat(64) };
    const { data } = must(await platform("POST", `/platform/databases/${name}/adopt`, body), 200).body;
    expect(data).toMatchObject({ outcome: "left", company: null });
  }
  await runCron();
  const none = { waiting: false, restored_at: null, databases: null };
  expect(await platformRead("/platform/adoption")).toMatchObject(none);
});

test("what a database says after it was read and found undisputed is not believed: 409, and the slug stays its owner's", async () => {
  const [victim, thief] = await Promise.all([openCompany(), openCompany()]);
  const said = await companyIn(victim);
  const { digest } = await claimOf(thief);
  await Promise.all([victim, thief].map(lose));
  await thief.rows("UPDATE company_copy SET slug = ?, company_id = ?", victim.slug, Number(said.company_id));
  expect((await adoptAs(thief, digest)).body).toMatchObject({ status: 409, code: "conflict" });
  expect(await adopt(victim)).toMatchObject({ outcome: "opened" });
  expect(await statusOf(victim, victim.admin)).toBe(200);
});

test("of two databases that are taken in as one company at the same time one is, and the other is 409 or refused", async () => {
  const [one, other] = await Promise.all([openCompany(), openCompany()]);
  const said = await companyIn(one);
  await Promise.all([one, other].map(lose));
  await other.rows("UPDATE company_copy SET slug = ?, company_id = ?", one.slug, Number(said.company_id));
  const claims = await Promise.all([one, other].map(claimOf));
  const answers = await Promise.all(
    [one, other].map((company, at) => adoptAs(company, String(claims[at]?.digest))),
  );
  const outcomes = answers.map(({ status, body }) => (status === 409 ? "refused" : body.data.outcome));
  expect(outcomes.toSorted()).toEqual(["opened", "refused"]);
});
