import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { getInvoice, newCustomer, newInvoice, REGISTERED } from "../features/commerce.ts";
import { BANK, newPayment, refund, today } from "../features/money.ts";
import { must, openCompany, type TestCompany } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";

const CUSTOMERS = "/customers/:company";
const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001", gstin: "29AABCR1718E1ZL" };
const LATE_MS = 16_000;

/** A company that has a customer of this GSTIN: another of it is a duplicate. */
async function openWithCustomer(): Promise<{ company: TestCompany; id: string }> {
  const company = await openCompany();
  return { company, id: (await company.make<{ id: string }>(CUSTOMERS, customer)).id };
}

async function customers(company: TestCompany): Promise<unknown> {
  return (await company.rows("SELECT count(*) AS n FROM customers"))[0]?.n;
}

// These wait for real seconds, so they wait together.
describe.concurrent("a payment whose first attempt hangs in the network", () => {
  test.each([
    ["without a key", {}],
    ["with an Idempotency-Key", { "Idempotency-Key": randomUUID() }],
  ])(
    "and which is refused stays refused when that attempt arrives 16 seconds late (%s)",
    async (_, headers) => {
      const company = await openCompany(REGISTERED);
      const { id: invoiceId } = await newInvoice(company, (await newCustomer(company)).id);
      const body = { invoice_id: invoiceId, amount: 354, payment_date: today(), payment_mode_id: BANK };
      const pay = () => company.call("POST", "/payments/:company", { body, headers });
      await company.faults({ kind: "delay", delay_ms: LATE_MS, times: 1, writes_only: true });
      const startedAt = performance.now();
      const paying = pay();
      await vi.waitUntil(async () => (await company.faultsMet()) === 1, { timeout: 5_000 });
      const { id: other } = await newPayment(company, { invoice_id: invoiceId, amount: 354 });

      const refused = must(await paying, 422);
      expect(refused.body).toMatchObject({ code: "amount_exceeds_due", amount_due: 0 });
      expect(performance.now() - startedAt).toBeLessThan(LATE_MS);
      // Now the late attempt would be accepted.
      must(await refund(company, other), 200);
      await sleep(LATE_MS + 1_000 - (performance.now() - startedAt));
      expect(await getInvoice(company, invoiceId)).toMatchObject({ amount_paid: 0, amount_due: 354 });
      await expectSound(company);

      const again = await pay();
      if ("Idempotency-Key" in headers) {
        const { request_id: _, ...problem } = again.body;
        expect(refused.body).toMatchObject(problem);
        expect(again.status).toBe(422);
      } else must(again, 201);
    },
    60_000,
  );
});

describe.concurrent("a refusal after an attempt whose answer was lost", () => {
  test("gives way to that attempt where it has committed: the call has its answer", async () => {
    const company = await openCompany();
    await company.faults(
      { kind: "reset_after", times: 1, writes_only: true },
      { kind: "error", code: "SQLITE_CONSTRAINT", times: 1, writes_only: true },
    );
    const answer = must(await company.call("POST", CUSTOMERS, { body: customer }), 201);
    expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
    expect(await customers(company)).toBe(1);
    await expectSound(company);
  });

  test("is outcome_unknown while it cannot be made final", async () => {
    const { company } = await openWithCustomer();
    await company.faults(
      { kind: "reset_before", times: 1, writes_only: true },
      { kind: "delay", times: 1, writes_only: true },
      { kind: "reset_before", writes_only: true },
    );
    const answer = await company.call("POST", CUSTOMERS, { body: customer });
    expect(answer).toMatchObject({ status: 503, body: { code: "outcome_unknown" } });
    expect(answer.headers.get("Retry-After")).toBe("1");
  });

  test("is given as well when only the answer to its storing was lost", async () => {
    const { company } = await openWithCustomer();
    await company.faults(
      { kind: "reset_before", times: 1, writes_only: true },
      { kind: "delay", times: 1, writes_only: true },
      { kind: "reset_after", times: 1, writes_only: true },
    );
    const answer = await company.call("POST", CUSTOMERS, { body: customer });
    expect(answer).toMatchObject({ status: 409, body: { code: "duplicate_customer" } });
    await expectSound(company);
  });

  test("is remembered for its key for 60 seconds, and then the key is judged afresh", async () => {
    const { company, id } = await openWithCustomer();
    const headers = { "Idempotency-Key": randomUUID() };
    const create = () => company.call("POST", CUSTOMERS, { body: customer, headers });
    await company.faults({ kind: "reset_before", times: 1, writes_only: true });
    const refused = must(await create(), 409);
    must(await company.call("DELETE", `${CUSTOMERS}/${id}`), 200);
    const { request_id: _, ...problem } = refused.body;
    expect(await create()).toMatchObject({ status: 409, body: problem });
    await company.clock(61);
    must(await create(), 201);
    await expectSound(company);
  });
});
