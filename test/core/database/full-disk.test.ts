import { afterAll, beforeAll, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { addressOf, type Service, startService } from "../../support/service.ts";

const FILE_BYTES = 6 * 1024 * 1024;
const NOTE = "x".repeat(2_000);
const AT_ONCE = 10;

let service: Service;
let company: TestCompany;

beforeAll(async () => {
  service = await startService(undefined, [], { fileSizeLimit: FILE_BYTES });
  company = await openCompany({}, addressOf(service));
  await company.raiseLimit();
}, 60_000);

afterAll(() => service.stop());

const create = () =>
  company.call("POST", "/customers/:company", {
    body: { name: "Meera Traders", state: "Karnataka", pincode: "560001", notes: NOTE },
  });

test("on a full disk a write is 503 and leaves nothing, reads go on, and with room again writes do", {
  timeout: 120_000,
}, async () => {
  let made = 0;
  const refused = new Set<number>();
  while (refused.size === 0) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, create));
    made += answers.filter(({ status }) => status === 201).length;
    for (const { status } of answers) if (status !== 201) refused.add(status);
  }
  expect([...refused]).toEqual([503]);

  const before = await rowCounts(company);
  expect((await create()).status).toBe(503);
  expect(await rowCounts(company)).toEqual(before);
  expect(before).toMatchObject({ customers: made });
  must(await company.call("GET", "/customers/:company?limit=1"), 200);

  await service.libsql.kill();
  await service.libsql.restart();
  must(await create(), 201);
  await expectSound(company);
});
