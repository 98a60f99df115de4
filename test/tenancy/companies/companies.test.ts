import { expect, inject, test } from "vitest";
import { wrongField } from "../../features/refusal.ts";
import {
  companyOf,
  controlRows,
  must,
  type Opened,
  openCompany,
  platform,
  randomSlug,
} from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";

const COMPANIES = "/platform/companies";

const create = (slug: string, fields: Record<string, unknown> = {}) =>
  platform<Opened>("POST", COMPANIES, { slug, name: "Asha Traders", ...fields });

async function expectNothingOf(slug: string): Promise<void> {
  expect((await platform("GET", `${COMPANIES}/${slug}`)).body.code).toBe("company_not_found");
  expect(await controlRows("SELECT id FROM companies WHERE slug = ?", slug)).toEqual([]);
}

const company = await openCompany();

test("the scheme of the platform's token is known in any case, the token in its own", async () => {
  const { url, platformToken } = inject("service");
  const statusFor = async (Authorization: string) =>
    (await fetch(`${url}${COMPANIES}`, { headers: { Authorization } })).status;
  for (const scheme of ["Bearer", "bearer", "BEARER"])
    expect(await statusFor(`${scheme} ${platformToken}`)).toBe(200);
  expect(await statusFor(`Bearer ${platformToken.toUpperCase()}`)).toBe(401);
  expect(await statusFor(`Basic ${platformToken}`)).toBe(401);
  expect(await statusFor(platformToken)).toBe(401);
});

test("a company opens with its defaults and one key of every scope, which is shown once", async () => {
  const slug = randomSlug();
  const fields = { state: "29", gstin: "29AABCR1718E1ZL", email: "a@example.com" };
  const made = must(await create(slug, fields), 201);
  expect(made.body.data).toMatchObject({
    slug,
    name: "Asha Traders",
    country: "IN",
    currency: "INR",
    timezone: "Asia/Kolkata",
    status: "active",
  });
  const read = must(await platform("GET", `${COMPANIES}/${slug}`), 200);
  expect(read.text).not.toContain("admin_key");
  expect(read.text).not.toContain(made.body.data.admin_key.client_secret);

  const company = await companyOf(made.body.data);
  must(await company.call("GET", "/settings/:company/keys"), 200);
  const seeded = await company.rows(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM units) AS units,
      (SELECT count(*) FROM financial_years) AS years, (SELECT state_code FROM profile) AS state`,
  );
  expect(seeded).toEqual([{ accounts: 27, units: 35, years: 1, state: "29" }]);
  await expectSound(company);
});

test.each([
  [{ slug: "No" }, "slug"],
  [{ slug: "-a" }, "slug"],
  [{ slug: "a".repeat(64) }, "slug"],
  [{ gstin: "29AABCR1718E1ZX" }, "gstin"],
  [{ gstin: "29AABCR1718E1ZL", state: "Kerala" }, "gstin"],
  [{ state: "Atlantis" }, "state"],
  [{ timezone: "Mars/Base" }, "timezone"],
  [{ timezone: "+05:30" }, "timezone"],
  [{ country: "India" }, "country"],
  [{ name: "" }, "name"],
])("a company of %j is refused and leaves nothing", async (fields, field) => {
  const slug = randomSlug();
  expect(await create(slug, fields)).toMatchObject(wrongField(field));
  await expectNothingOf(slug);
});

test("two creations of one slug at once give one 201 and one 409", async () => {
  for (let round = 0; round < 3; round += 1) {
    const slug = randomSlug();
    const answers = await Promise.all([create(slug), create(slug)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const [winner] = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    const company = await companyOf(winner ?? expect.fail("No creation won"));
    must(await company.call("GET", "/customers/:company"), 200);
  }
});

test("renaming and suspending change what is sent and nothing else", async () => {
  const renamed = must(await company.patch({ name: "Asha & Sons" }), 200).body.data;
  expect(renamed).toMatchObject({ name: "Asha & Sons", status: "active" });
  const suspended = must(await company.patch({ status: "suspended" }), 200).body.data;
  expect(suspended).toMatchObject({ name: "Asha & Sons", status: "suspended" });
  must(await company.patch({ status: "active" }), 200);
  must(await company.call("GET", "/customers/:company"), 200);
  expect((await company.patch({ status: "closed" })).status).toBe(422);
  expect((await platform("PATCH", `${COMPANIES}/${randomSlug()}`, { name: "Nobody" })).status).toBe(404);
  const none = await platform("GET", "/platform/self-check/no-such-company");
  expect(none).toMatchObject({ status: 404, body: { code: "company_not_found" } });
});
