import { afterAll, expect, test } from "vitest";
import { TestCompany } from "../../support/company.ts";
import { useFolder } from "../../support/folder.ts";
import { addressOf, startService } from "../../support/service.ts";
import { check } from "../../tenancy/companies/self-check.ts";
import { frozenBundle, frozenData, frozenSha256, loadFrozen, renewToken } from "./frozen.ts";
import { EXPANSION, laterBundle } from "./later-release.ts";
import { Load } from "./load.ts";

const LISTS = [
  "/customers/:company",
  "/invoices/:company",
  "/payments/:company",
  "/ledger/:company/trial-balance",
];

const path = useFolder();
const bundle = await frozenBundle(path("frozen"));
const service = await startService(bundle, [], { prepare: loadFrozen });
const { slug, key, database } = frozenData();
const company = new TestCompany(slug, key, database, addressOf(service));
await renewToken(service);
afterAll(() => service.stop());

async function read(): Promise<string[]> {
  const answers: string[] = [];
  for (const path of LISTS) answers.push(JSON.stringify(await company.read(path)));
  return answers;
}

const selfCheck = () => check(company, addressOf(service));

test("the frozen Worker reads and writes what it made on the schema of the next release", async () => {
  const before = await read();
  expect(await selfCheck()).toMatchObject({ sound: true, broken: [] });
  await service.deploy(await laterBundle(service.bundle, path("later"), EXPANSION, frozenSha256));
  expect(await read()).toEqual(before);
  const marks = await company.database().execute("SELECT count(*) AS n FROM customer_marks");
  expect(marks.rows[0]?.n).toBe(20);

  await service.deploy(service.bundle);
  expect(await read()).toEqual(before);
  const load = new Load();
  for (let call = 0; call < 3; call += 1) await load.write(company);
  expect([load.wrong, load.answers]).toEqual([[], { 200: 3, 201: 3 }]);
  expect(await selfCheck()).toMatchObject({ sound: true, broken: [], skipped: ["schema"] });
});
