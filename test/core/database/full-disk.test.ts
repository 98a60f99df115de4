import { expect, test } from "vitest";
import { must, openBusy } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { ownService } from "../../support/own-service.ts";

const FILE_BYTES = 6 * 1024 * 1024;
const NOTE = "x".repeat(2_000);
const AT_ONCE = 10;

const service = await ownService([], { fileSizeLimit: FILE_BYTES });
const company = await openBusy({}, service.address);

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
