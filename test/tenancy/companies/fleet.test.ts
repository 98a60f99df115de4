import { expect, test } from "vitest";
import {
  controlRows,
  must,
  openCompany,
  platform,
  platformRead,
  randomSlug,
  type TestCompany,
} from "../../support/company.ts";

const UNMIGRATED = "/platform/migrations/companies";

/** Whether the control database calls the company's database behind. */
async function isBehind({ slug }: TestCompany): Promise<boolean> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const at: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = await platform<{ slug: string }[]>("GET", `${UNMIGRATED}?limit=2${at}`);
    const { data, paging } = must(page, 200).body;
    if (data.some((one) => one.slug === slug)) return true;
    cursor = paging.next_cursor;
  }
  return false;
}

const forget = ({ slug }: TestCompany) =>
  controlRows("UPDATE companies SET migrated_as = NULL WHERE slug = ?", slug);
const migrate = ({ slug }: TestCompany) => platform("POST", `/platform/companies/${slug}/migrations`);

// The tests share companies: the first is closed at the end.
const company = await openCompany();
const others = [await openCompany(), await openCompany()] as const;

test("a company is listed until its database was brought up to date, and a new one is not", async () => {
  expect(await isBehind(company)).toBe(false);
  for (const one of [company, ...others]) await forget(one);
  for (const one of [company, ...others]) expect(await isBehind(one)).toBe(true);
  const before = await company.requests();
  expect(await isBehind(company)).toBe(true);
  expect((await company.requests()) - before).toBe(0);
  for (const one of [company, ...others]) must(await migrate(one), 200);
  expect(await isBehind(company)).toBe(false);
});

test("a company whose migration fails stays listed", async () => {
  const [company] = others;
  await forget(company);
  await company.faults({ kind: "status", status: 400 });
  expect((await migrate(company)).status).toBeGreaterThanOrEqual(500);
  expect(await isBehind(company)).toBe(true);
});

test("a closed company is called so, its keys are revoked, and what it wrote is kept", async () => {
  const [, other] = others;
  must(await company.call("GET", "/settings/:company/keys"), 200);
  const closed = must(await platform("POST", `/platform/companies/${company.slug}/close`), 200);
  expect(closed.body.data).toMatchObject({ slug: company.slug, status: "closed" });
  expect((await company.call("GET", "/customers/:company")).status).toBe(401);
  must(await other.call("GET", "/customers/:company"), 200);
  expect(await company.rows("SELECT count(*) AS n FROM accounts")).toEqual([{ n: 27 }]);
  must(await platform("POST", `/platform/companies/${company.slug}/close`), 200);

  expect(must(await company.patch({ status: "active" }), 200).body.data).toMatchObject({ status: "active" });
  const made = await platform("POST", `/platform/companies/${company.slug}/keys`);
  const { client_id, client_secret } = must(made, 201).body.data;
  expect(client_secret).toMatch(/^sk_/);
  const keys = await controlRows(
    `SELECT client_id FROM api_keys JOIN companies ON companies.id = company_id
      WHERE slug = ? AND revoked_at IS NULL`,
    company.slug,
  );
  expect(keys.map((key) => key.client_id)).toEqual([client_id]);
  const none = await platform("POST", `/platform/companies/${randomSlug()}/close`);
  expect(none).toMatchObject({ status: 404, body: { code: "company_not_found" } });
});

test("a closed company is not migrated and not in the backlog: its database may be gone", async () => {
  await forget(company);
  expect(await isBehind(company)).toBe(true);
  must(await platform("POST", `/platform/companies/${company.slug}/close`), 200);
  expect(await isBehind(company)).toBe(false);
  const before = company.slug.slice(0, -1);
  const path = `/platform/backlog?after=${before}`;
  const { companies } = await platformRead<{ companies: { slug: string }[] }>(path);
  expect(companies.map(({ slug }) => slug)).not.toContain(company.slug);
});

test("a spare database is used only once something was restored into it", async () => {
  const [, company] = others;
  must(await company.patch({ status: "suspended" }), 200);
  const path = `/platform/companies/${company.slug}/spare-database`;
  const { spare } = must(await platform<{ spare: string }>("POST", path), 201).body.data;
  expect((await platform("POST", `${path}/${spare}/use`)).body).toMatchObject({
    status: 409,
    message: `Nothing was restored into the spare database ${spare}`,
  });
  expect(await platformRead(`/platform/companies/${company.slug}`)).toMatchObject({
    database: company.namespace,
    spare_database: spare,
  });
});
