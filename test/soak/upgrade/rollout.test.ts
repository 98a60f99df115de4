import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { getCustomer, newCustomer } from "../../features/commerce.ts";
import {
  clientOf,
  must,
  openCompany,
  platform,
  platformRead,
  type TestCompany,
} from "../../support/company.ts";
import { companyOps } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { addressOf, PLATFORM_TOKEN, type Service, startService } from "../../support/service.ts";
import { check } from "../../tenancy/companies/self-check.ts";
import { type Change, EXPANSION, FAULTY, laterBundle, sha256Here } from "./later-release.ts";

const LIST = "/customers/:company";

const place = useFolder();
let service: Service;
let number: number;
let companies: TestCompany[];
beforeEach(async () => {
  service = await startService(inject("service").bundle);
  companies = [];
  for (let made = 0; made < 4; made += 1) companies.push(await openCompany({}, addressOf(service)));
  number = Number((await rollout()).schema_number);
});
afterEach(() => service.stop());

const rollout = () => platformRead<Record<string, unknown>>("/platform/rollout", addressOf(service));
const migrate = (company?: TestCompany) =>
  platform("POST", `/platform/companies/${company?.slug}/migrations`, {}, addressOf(service));

async function setRollout(state: string, canaries: string[] = [], schema_number = number): Promise<void> {
  const body = { state, canaries, schema_number };
  must(await platform("PUT", "/platform/rollout", body, addressOf(service)), 200);
}

const later = (changes: readonly Change[]) =>
  laterBundle(inject("service").bundle, place("later"), changes, sha256Here);
const namesOf = async (company: TestCompany) =>
  (await company.database().execute("SELECT name FROM migrations")).rows.map(({ name }) => name);

test("a release upgrades its canary first, and the release before serves every company when it is put back", async () => {
  const [canary, other] = companies as [TestCompany, TestCompany];
  const before = await newCustomer(canary);
  await setRollout("canary", [canary.slug], number + EXPANSION.length);
  await service.deploy(await later(EXPANSION));
  must(await canary.call("GET", LIST), 200);
  expect(await namesOf(canary)).toContain("0001_06_customers");
  const held = await other.call("GET", LIST);
  expect(held).toMatchObject({ status: 503, body: { code: "upgrading" } });
  expect(held.headers.get("Retry-After")).toBe("60");
  expect(await namesOf(other)).not.toContain("0001_06_customers");
  expect(await rollout()).toMatchObject({ state: "canary", canaries: [canary.slug], behind: 3 });
  const during = await newCustomer(canary);

  await service.deploy(inject("service").bundle);
  for (const company of [canary, other]) await newCustomer(company);
  for (const customer of [before, during])
    expect((await getCustomer(canary, customer.id)).body.data).toEqual(customer);
  const sound = { sound: true, broken: [], skipped: ["schema"] };
  expect(await check(canary, addressOf(service))).toMatchObject(sound);
  expect(must(await migrate(canary), 200).body.data).toMatchObject({ applied: [] });

  await setRollout("open", [], number + EXPANSION.length);
  await service.deploy(place("later"));
  for (const company of companies) must(await company.call("GET", LIST), 200);
  expect(await rollout()).toMatchObject({ state: "open", behind: 0, failed: [] });
});

test("three companies that fail stop the rollout for the rest; the release before serves all of them", async () => {
  await service.deploy(await later(FAULTY));
  for (const company of companies)
    expect(await company.call("GET", LIST)).toMatchObject({ status: 503, body: { code: "upgrading" } });
  const { failed, ...stopped } = await rollout();
  expect(stopped).toMatchObject({ state: "stopped", behind: 4 });
  expect(failed).toHaveLength(3);
  const env = { ...process.env, COMPANY_OPS_URL: service.url, PLATFORM_TOKEN, DATA_DIR: "nowhere" };
  const { code, stdout } = await companyOps(["doctor"], { env });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^no {2}rollout: schema \d+: stopped since 20.+Z by (?:test-\S+ \(.+?\)(?:, )?){3}; 4 companies have an older schema, whose calls are 503 : remove the cause, then run `company-ops rollout open` \(docs\/upgrade\.md\)$/m,
    ),
  ]);
  expect((await migrate(companies[3])).body).toMatchObject({
    code: "conflict",
    message: expect.stringContaining("rollout"),
  });
  for (const company of companies) expect(await namesOf(company)).not.toContain("0001_06_customers");

  await service.deploy(inject("service").bundle);
  for (const company of companies) must(await company.call("GET", LIST), 200);
  const shown = await companyOps(["rollout", "show"], { env });
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(`Schema ${number}: open`)]);
});

test("a call waits 5 seconds for an upgrade that takes longer, which goes on without it", async () => {
  const [company] = companies as [TestCompany];
  await service.deploy(await later(EXPANSION));
  await company.faults({ kind: "delay", delay_ms: 3_000, times: 3 });
  const begun = performance.now();
  const refused = await company.call("GET", LIST);
  const took = performance.now() - begun;
  expect(refused).toMatchObject({ status: 503, body: { code: "upgrading" } });
  expect(refused.headers.get("Retry-After")).toBe("2");
  expect(took).toBeGreaterThan(4_900);
  expect(took).toBeLessThan(8_000);
  await vi.waitUntil(async () => (await rollout()).behind === 3, { timeout: 20_000, interval: 200 });
  must(await company.call("GET", LIST), 200);
});

test.each(["a call", "/ready"])("a registry of the release before is migrated by %s", async (first) => {
  const [company] = companies as [TestCompany];
  const control = clientOf("control", addressOf(service));
  await control.executeMultiple(`ALTER TABLE companies DROP COLUMN schema_number;
    UPDATE migrations SET sha256 = 'before' WHERE name = '03_companies';`);
  const added = "ALTER TABLE companies ADD COLUMN schema_number INTEGER NOT NULL DEFAULT 0;\n";
  const change = { file: "03_companies", sql: added };
  const bundle = inject("service").bundle;
  await service.deploy(await laterBundle(bundle, place("later"), [change], () => "before"));
  if (first === "/ready") expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  else must(await company.call("GET", LIST), 200);
  const { rows } = await control.execute("SELECT name FROM migrations WHERE name = '0001_03_companies'");
  expect(rows).toHaveLength(1);
});
