import { expect, test } from "vitest";
import { wrongField } from "../../features/refusal.ts";
import {
  controlRows,
  must,
  openCompany,
  platform,
  platformRead,
  type TestCompany,
} from "../../support/company.ts";

const LIST = "/customers/:company";

const numberOf = async ({ slug }: TestCompany) =>
  (await controlRows("SELECT schema_number AS number FROM companies WHERE slug = ?", slug))[0]?.number;
const setNumber = ({ slug }: TestCompany, number: number) =>
  controlRows("UPDATE companies SET schema_number = ? WHERE slug = ?", number, slug);

test("a company whose schema is older is brought up to date at its first call, and no later call asks again", async () => {
  const company = await openCompany();
  const release = await numberOf(company);
  await company.database().executeMultiple(`DELETE FROM migrations WHERE name = '19_erasures'; 
    DROP TABLE mark_key; DROP TABLE person_erasures;`);
  await setNumber(company, 0);
  must(await company.call("GET", LIST), 200);
  expect(await numberOf(company)).toBe(release);
  expect(await company.rows("SELECT count(*) AS n FROM mark_key")).toEqual([{ n: 0 }]);
  must(await company.call("GET", LIST), 200);
  const before = await company.requests();
  must(await company.call("GET", LIST), 200);
  expect((await company.requests()) - before).toBe(1);
});

test("a company whose database does not fit is 503 upgrading, and named to the operator; others work", async () => {
  const [company, other] = [await openCompany(), await openCompany()];
  await company.rows("UPDATE migrations SET sha256 = 'another' WHERE name = '06_customers'");
  await setNumber(company, 0);
  const refused = await company.call("GET", LIST);
  expect(refused).toMatchObject({ status: 503, body: { code: "upgrading" } });
  expect(refused.headers.get("Retry-After")).toBe("60");
  must(await other.call("GET", LIST), 200);
  const { failed } = await platformRead<{ failed: object[] }>("/platform/rollout");
  expect(failed).toContainEqual({
    company: company.slug,
    error: expect.stringContaining("another 06_customers"),
    failed_at: expect.any(String),
  });
});

test("the operator names companies that are there as canaries", async () => {
  const rollout = (body: unknown) => platform("PUT", "/platform/rollout", body);
  const to = { schema_number: 900_000, state: "canary" };
  expect(await rollout(to)).toMatchObject(wrongField("canaries", "required"));
  const unknown = { ...to, canaries: ["not-there"] };
  expect(await rollout(unknown)).toMatchObject(wrongField("canaries", "unknown_company"));
  const canary = { ...to, canaries: [(await openCompany()).slug] };
  expect(must(await rollout(canary), 200).body.data).toMatchObject({ ...canary, failed: [] });
  expect(await platformRead("/platform/rollout?schema_number=900000")).toMatchObject(canary);
  expect(await platformRead("/platform/rollout")).toMatchObject({ state: "open" });
});
