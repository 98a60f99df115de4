import { expect, test } from "vitest";
import { openBusy, openCompany, type TestCompany } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";

const PATH = "/customers/:company";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
const call = (company: TestCompany, index: number, signal?: AbortSignal) =>
  company.call(index % 2 === 0 ? "GET" : "POST", PATH, {
    ...(index % 2 === 0 ? {} : { body: customer }),
    ...(signal === undefined ? {} : { signal }),
  });

test("60 requests at once, 20 of them aborted by their clients, then 5 more: all others are answered", async () => {
  const company = await openCompany();
  // So slow that all are under way together, and the aborts strike while the database is asked.
  await company.faults({ kind: "delay", delay_ms: 150 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      call(company, index, index % 3 === 0 ? AbortSignal.timeout(40 + index) : undefined),
    ),
  );
  const answered = outcomes
    .filter((outcome) => outcome.status === "fulfilled")
    .map(({ value }) => value.status);
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(20);
  expect(answered).toHaveLength(40);
  expect(new Set(answered)).toEqual(new Set([200, 201]));

  await company.faults();
  const after = await Promise.all(Array.from({ length: 5 }, (_, index) => call(company, index)));
  expect(after.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200]);
  await expectSound(company);
});

test("an isolate answers as before once 200 requests of one company were aborted", async () => {
  const company = await openBusy();
  await company.faults({ kind: "delay", delay_ms: 400 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => call(company, index, AbortSignal.timeout(50 + index))),
  );
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(200);
  await company.faults();
  const after = await Promise.all(Array.from({ length: 50 }, (_, index) => call(company, index)));
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200, 201]));
  await expectSound(company);
});
