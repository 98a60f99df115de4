import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer, Send } from "../../support/http.ts";
import type { FaultRule } from "../../support/libsql/faults.ts";
import { expectSound } from "../../support/oracles.ts";

const PATH = "/customers/:company";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
const LOST = [{ kind: "reset_before" }, { kind: "reset_after" }, { kind: "truncate" }] as const;
// Each says for certain that nothing was done.
const BUSY: (FaultRule & { name: string })[] = [
  { name: "HTTP 429", kind: "status", status: 429 },
  { name: "HTTP 404, as while a namespace is moved", kind: "status", status: 404 },
  ...["SQLITE_BUSY", "TRANSACTION_TIMEOUT", "STREAM_EXPIRED"].map((code) => ({
    name: code,
    kind: "error" as const,
    code,
  })),
];
const IN_TURN = { concurrent: false };
// How many customers a company had when the test began.
const former = new WeakMap<TestCompany, number>();

/** How many customers the test has left behind. */
async function customers(company: TestCompany): Promise<number> {
  const [row] = await company.rows("SELECT count(*) AS n FROM customers WHERE deleted_at IS NULL");
  return Number(row?.n) - (former.get(company) ?? 0);
}

const create = (company: TestCompany, options: Send = {}) =>
  company.call("POST", PATH, { body: customer, ...options });

function expectRetryLater(answer: Answer, code: "unavailable" | "outcome_unknown"): void {
  expect(answer).toMatchObject({ status: 503, body: { code } });
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
}

/** A company for the tests of a suite, which run one after another; each begins without faults. */
function useCompany(): () => TestCompany {
  let company: TestCompany;
  beforeAll(async () => {
    company = await openCompany();
  });
  beforeEach(async () => {
    await company.faults();
    former.delete(company);
    former.set(company, await customers(company));
  });
  return () => company;
}

// Most of their time goes by in pauses between attempts, so the suites run together.
describe.concurrent.each(LOST)("where an answer is lost ($kind)", ({ kind }) => {
  const opened = useCompany();

  test("a write has one effect and its answer when a later attempt gets through", IN_TURN, async () => {
    const company = opened();
    for (const times of [1, 2]) {
      await company.faults({ kind, times, writes_only: true });
      const answer = must(await create(company), 201);
      expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
      expect(await customers(company)).toBe(times);
    }
    await expectSound(company);
  });

  test(
    "a write is 503 outcome_unknown when every attempt is lost, and a retry with the key finds what was done",
    IN_TURN,
    async () => {
      const company = opened();
      await company.faults({ kind, writes_only: true });
      const headers = { "Idempotency-Key": randomUUID() };
      expectRetryLater(await create(company, { headers }), "outcome_unknown");
      await company.faults();
      expect(await customers(company)).toBe(kind === "reset_before" ? 0 : 1);
      must(await create(company, { headers }), 201);
      expect(await customers(company)).toBe(1);
      await expectSound(company);
    },
  );

  test(
    "a write keeps its own answer: a created record is no duplicate, a deleted one not missing",
    IN_TURN,
    async () => {
      const company = opened();
      await company.faults({ kind, times: 1, writes_only: true });
      const made = must(await create(company, { body: { ...customer, gstin: "29AABCR1718E1ZL" } }), 201);
      await company.faults({ kind, times: 1, writes_only: true });
      must(await company.call("DELETE", `${PATH}/${made.body.data.id}`), 200);
      await expectSound(company);
    },
  );

  test("a write is refused as it would be without the loss", IN_TURN, async () => {
    const company = opened();
    await company.faults({ kind, times: 1, writes_only: true });
    const answer = await company.call("PATCH", `${PATH}/999999`, { body: { name: "Nobody" } });
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("a read is tried again, and is 503 unavailable when it stays so", IN_TURN, async () => {
    const company = opened();
    await company.faults({ kind, times: 2 });
    must(await company.call("GET", PATH), 200);
    await company.faults({ kind });
    expectRetryLater(await company.call("GET", PATH), "unavailable");
  });
});

describe.concurrent("a database that answers an error", () => {
  const opened = useCompany();

  test.each([
    [401, "unavailable"],
    [403, "unavailable"],
    [408, "outcome_unknown"],
  ] as const)("of HTTP %i is 503 %s", IN_TURN, async (status, code) => {
    const company = opened();
    await company.faults({ kind: "status", status, writes_only: true });
    expectRetryLater(await create(company), code);
    expect(await customers(company)).toBe(0);
  });

  test("of HTTP makes it unknown whether the write was done: it is tried again", IN_TURN, async () => {
    const company = opened();
    await company.faults({ kind: "status", status: 500, times: 2, writes_only: true });
    must(await create(company), 201);
    await company.faults({ kind: "status", status: 502, writes_only: true });
    expectRetryLater(await create(company), "outcome_unknown");
    expect(await customers(company)).toBe(1);
  });

  test.each([
    ["SQLITE_FULL", 503],
    ["SQLITE_IOERR", 503],
    ["SQLITE_READONLY", 503],
    ["SQLITE_CORRUPT", 503],
    ["SQLITE_ERROR", 500],
    ["SQL_PARSE_ERROR", 500],
    ["SQL_INPUT_ERROR", 500],
    ["ARGS_INVALID", 500],
    ["RESPONSE_TOO_LARGE", 500],
    ["BLOCKED", 503],
  ])("%s is a %i that shows nothing of it, and nothing is done", IN_TURN, async (code, status) => {
    const company = opened();
    // Asked a second time, it would accept the write.
    await company.faults({ kind: "error", code, times: 1, writes_only: true });
    const answer = await create(company);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/SQLITE|INSERT|Fault|libsql/);
    expect(await customers(company)).toBe(0);
  });
});

const REFUSED_LATER: (FaultRule & { name: string })[] = [
  ...[401, 403, 408, 413].map((status) => ({ name: `HTTP ${status}`, kind: "status" as const, status })),
  ...["SQLITE_FULL", "SQLITE_ERROR", "BLOCKED", "RESPONSE_TOO_LARGE"].map((code) => ({
    name: code,
    kind: "error" as const,
    code,
  })),
];

describe.concurrent("a write whose answer is lost", () => {
  const opened = useCompany();

  test.each(REFUSED_LATER)(
    "and then $name is outcome_unknown: the key finds what was done",
    IN_TURN,
    async (fault) => {
      const company = opened();
      await company.faults(
        { kind: "reset_after", times: 1, writes_only: true },
        { ...fault, writes_only: true },
      );
      const headers = { "Idempotency-Key": randomUUID() };
      expectRetryLater(await create(company, { headers }), "outcome_unknown");
      await company.faults();
      must(await create(company, { headers }), 201);
      expect(await customers(company)).toBe(1);
    },
  );
});

const BUSY_BY_KIND = Object.entries(Object.groupBy(BUSY, ({ kind }) => kind));
describe.concurrent.each(BUSY_BY_KIND)("a busy database (%s)", (_kind, faults) => {
  const opened = useCompany();

  test.each(faults)("is asked again, and the write done once: $name", IN_TURN, async (fault) => {
    const company = opened();
    await company.faults({ ...fault, times: 2, writes_only: true });
    must(await create(company), 201);
    expect(await customers(company)).toBe(1);
    await expectSound(company);
  });

  test.each(faults)("that stays busy is 503 unavailable, nothing was done: $name", IN_TURN, async (fault) => {
    const company = opened();
    await company.faults({ ...fault, writes_only: true });
    expectRetryLater(await create(company), "unavailable");
    expect(await customers(company)).toBe(0);
    await expectSound(company);
  });

  test.each(faults)("is asked again by a read, then 503 unavailable: $name", IN_TURN, async (fault) => {
    const company = opened();
    await company.faults({ ...fault, times: 2 });
    must(await company.call("GET", PATH), 200);
    await company.faults(fault);
    expectRetryLater(await company.call("GET", PATH), "unavailable");
  });
});

describe("a database that loses calls", () => {
  const opened = useCompany();

  test("a committed write whose answer cannot be read back is unknown, never said to be undone", async () => {
    const company = opened();
    // The commit loses its answer, the second attempt finds the row, and reading it back fails.
    await company.faults(
      { kind: "reset_after", times: 1, writes_only: true },
      { kind: "delay", times: 1 },
      { kind: "reset_before" },
    );
    expectRetryLater(await create(company), "outcome_unknown");
    await company.faults();
    expect(await customers(company)).toBe(1);
  });
});
