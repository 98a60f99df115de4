import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { getInvoice, line, newCustomer, newInvoice } from "../features/commerce.ts";
import { openCompany } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";
import { addressOf, startService } from "../support/service.ts";

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 2);
const WRITERS = 10;
// An invoice has at most 100 notes.
const NOTES = 10;
const PAUSE_MS = 200;

test(`notes while the database is killed ${ROUNDS} times: each call makes one, and their values add up`, {
  timeout: ROUNDS * 60_000,
}, async () => {
  const service = await startService(undefined, [], { onDisk: true });
  try {
    const company = await openCompany({ state: "Karnataka" }, addressOf(service));
    await company.raiseLimit();
    const { id: customerId } = await newCustomer(company);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const items = [{ ...line, quantity: WRITERS * NOTES }];
      const invoice = await newInvoice(company, customerId, { items });
      const body = { items: [{ invoice_item_id: invoice.items[0]?.id, quantity: 1 }], reason: "deficiency" };
      const numbers = new Set<string>();
      const credit = async (key: string) => {
        for (;;) {
          const headers = { "Idempotency-Key": key };
          const answer = await company
            .call<Record<string, string>>("POST", `/invoices/:company/${invoice.id}/credit-notes`, {
              body,
              headers,
            })
            .catch(() => undefined);
          if (answer?.status === 201) return numbers.add(String(answer.body.data.credit_note_number));
          if (answer !== undefined) expect(answer).toMatchObject({ status: 503 });
          await sleep(PAUSE_MS);
        }
      };
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let note = 0; note < NOTES; note += 1) await credit(`${round}-${writer}-${note}`);
      });
      await sleep(100 + Math.random() * 300);
      await service.libsql.kill();
      await sleep(Math.random() * 1_000);
      await service.libsql.restart();
      await Promise.all(writers);
      expect(numbers.size).toBe(WRITERS * NOTES);
      expect(await getInvoice(company, invoice.id)).toMatchObject({ credit_status: "full", amount_due: 0 });
      await expectSound(company);
    }
  } finally {
    await service.stop();
  }
});
