import { describe, expect, test, vi } from "vitest";
import { must, openBusy, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";

const PATH = "/customers/:company";
const GSTIN = "29AABCR1718E1ZL";
const place = { state: "Karnataka", pincode: "560001" };
const WRITERS = 60;

type Customer = { id: string; name: string };

const create = (company: TestCompany, name: string, more: object = {}) =>
  company.call<Customer>("POST", PATH, { body: { name, ...place, ...more } });

async function namesIn(company: TestCompany): Promise<unknown[]> {
  const rows = await company.rows("SELECT name FROM customers ORDER BY name");
  return rows.map(({ name }) => name);
}

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `Buyer ${100 + index}`);

describe.concurrent("calls that write at once", () => {
  test("share requests to the database, and each has its own answer; a refused one changes no other", async () => {
    const company = await openBusy();
    must(await create(company, "Buyer 000", { gstin: GSTIN }), 201);
    const before = await company.requests();
    const names = namesOf(WRITERS);
    const answers = await Promise.all(
      names.map((name, index) => create(company, name, index % 6 === 0 ? { gstin: GSTIN } : {})),
    );
    for (const [index, { status, body }] of answers.entries())
      if (index % 6 === 0) expect(body).toMatchObject({ code: "duplicate_customer" });
      else {
        expect(status).toBe(201);
        expect(body.data.name).toBe(names[index]);
      }
    expect((await company.requests()) - before).toBeLessThan(WRITERS / 2);
    expect(await namesIn(company)).toEqual(["Buyer 000", ...names.filter((_, index) => index % 6 !== 0)]);
    await expectSound(company);
  });
});

describe.concurrent("a group", () => {
  test.each(["reset_after", "reset_before", "truncate"] as const)(
    "whose answer is lost (%s) has one effect for each of its calls, and their answers",
    async (kind) => {
      const company = await openBusy();
      await company.faults(
        { kind: "delay", delay_ms: 300, times: 1, writes_only: true },
        { kind, times: 1, writes_only: true },
      );
      const names = namesOf(15);
      const answers = await Promise.all(names.map((name) => create(company, name)));
      expect(answers.map(({ status }) => status)).toEqual(Array(15).fill(201));
      expect(answers.map(({ body }) => body.data.name)).toEqual(names);
      expect(await namesIn(company)).toEqual(names);
      await expectSound(company);
    },
  );

  test.each(["SQLITE_BUSY", "SQLITE_NOMEM"])("that cannot begin (%s) is written one by one", async (code) => {
    const company = await openBusy();
    await company.faults(
      { kind: "delay", delay_ms: 1_500, times: 1, writes_only: true },
      { kind: "error", code, times: 1, writes_only: true },
    );
    const first = create(company, "Buyer 000");
    await vi.waitFor(async () => expect(await company.faultsMet()).toBe(1), {
      interval: 20,
      timeout: 10_000,
    });
    const names = namesOf(10);
    const answers = await Promise.all(names.map((name) => create(company, name)));
    expect((await first).status).toBe(201);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(await namesIn(company)).toEqual(["Buyer 000", ...names]);
    await expectSound(company);
  });

  test("that a client leads who goes away is finished, and those that go with it and after it do not wait", async () => {
    const company = await openBusy();
    await company.faults({ kind: "delay", delay_ms: 400, times: 2, writes_only: true });
    const names = namesOf(12);
    const leading = company.call("POST", PATH, {
      body: { name: "Gone", ...place },
      signal: AbortSignal.timeout(200),
    });
    const startedAt = performance.now();
    const [gone, ...answers] = await Promise.allSettled([
      leading,
      ...names.map((name) => create(company, name)),
    ]);
    expect(gone?.status).toBe("rejected");
    for (const answer of answers) expect(answer).toMatchObject({ value: { status: 201 } });
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect(await namesIn(company)).toEqual([...names, "Gone"]);
    await expectSound(company);
  });
});
