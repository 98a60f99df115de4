import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newCustomer } from "../../features/commerce.ts";
import { openCompany } from "../../support/company.ts";
import { ownService } from "../../support/own-service.ts";
import { check } from "../../tenancy/companies/self-check.ts";

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2);
const WRITERS = 50;
const PAUSE_MS = 200;

const service = await ownService([], { onDisk: true });
const company = await openCompany({}, service.address);
await company.raiseLimit();
const { id: customerId } = await newCustomer(company);

test(`${WRITERS} writers while the database is killed ${ROUNDS} times: no acknowledged invoice is lost or doubled`, {
  timeout: ROUNDS * 60_000,
}, async () => {
  const numbers = new Map<string, string>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ending = new AbortController();
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      write(`${round}-${writer}`, ending.signal, numbers),
    );
    await sleep(500 + Math.random() * 1_000);
    await service.libsql.kill();
    const before = numbers.size;
    await sleep(Math.random() * 1_000);
    await service.libsql.restart();
    await expect.poll(() => numbers.size, { timeout: 30_000 }).toBeGreaterThan(before);
    ending.abort();
    await Promise.all(writers);

    const rows = await company.rows("SELECT reference_number, invoice_number FROM invoices");
    expect(new Map(rows.map((row) => [row.reference_number, row.invoice_number]))).toEqual(numbers);
    expect(rows).toHaveLength(numbers.size);
    // Among its sentences: numbers run without a gap, and every entry balances.
    expect(await check(company, service.address)).toMatchObject({ sound: true, broken: [] });
  }
});

/** Issues one invoice after another, each under its own key until it is acknowledged. */
async function write(writer: string, ending: AbortSignal, numbers: Map<string, string>): Promise<void> {
  for (let index = 0; !ending.aborted; index += 1) {
    const reference = `${writer}-${index}`;
    for (;;) {
      const answer = await issue(reference).catch(() => undefined);
      if (answer?.status === 201) {
        numbers.set(reference, String(answer.body.data.invoice_number));
        break;
      }
      if (answer !== undefined) expect(answer).toMatchObject({ status: 503 });
      await sleep(PAUSE_MS);
    }
  }
}

function issue(reference: string) {
  return company.call("POST", "/invoices/:company", {
    headers: { "Idempotency-Key": reference },
    body: {
      customer_id: customerId,
      reference_number: reference,
      items: [{ item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 100, tax_rate: 18 }],
    },
  });
}
