import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { check, sentences, tamper } from "../../../tenancy/companies/self-check.ts";
import { rowsOf } from "../../commerce.ts";
import { newNote, payOut } from "../../credit-notes/notes.ts";
import { today } from "../../money.ts";
import { openSeller } from "../../payments/online/unpaid.ts";
import { dueOf, paidOrder, postRefund } from "../../refunds/refunds.ts";
import { refusal } from "../../refusal.ts";
import { resolve, resolved } from "./review.ts";

const seller = await openSeller();
const company = seller.company;

const dismissal = { action: "dismiss", outside_reference: "UTR1", payment_mode_id: 2 };

describe("an order whose invoice has unused credit is dismissed only after its payout, which is in the books", () => {
  test.each(["paid", "twice"] as const)("paid: %s", async (outcome) => {
    const { orderId } = await paidOrder(seller, outcome);
    const [row] = await rowsOf(company, "SELECT invoice_id FROM sales_orders WHERE id = ?", [orderId]);
    const note = await newNote(company, String(row?.invoice_id));
    const owed = outcome === "twice" ? 200 : 100;
    expect(await dueOf(company, String(orderId))).toEqual([owed]);
    expect(await resolve(seller, orderId, dismissal)).toMatchObject(
      refusal(409, "has_credit_notes", {
        message: expect.stringContaining("/payouts"),
        credit_note_ids: [note.id],
      }),
    );
    expect(await dueOf(company, String(orderId))).toEqual([owed]);
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    if (outcome === "twice") {
      expect(await dueOf(company, String(orderId))).toEqual([100]);
      expect(await resolved(seller, orderId, dismissal)).toMatchObject({ needs_refund: false });
    }
    expect(await dueOf(company, String(orderId))).toEqual([]);
    expect((await postRefund(company, { order_id: orderId })).status).toBe(422);
    const [out] = await rowsOf(
      company,
      `SELECT sum(credit) AS paid FROM journal_entries entry JOIN journal_lines ON entry_id = entry.id
        WHERE (source_type, source_id) IN (SELECT 'credit_payout', id FROM credit_payouts WHERE credit_note_id = ?)
        OR (source_type, source_id) IN (SELECT 'advance', advances.id FROM advances
          JOIN gateway_captures capture ON capture.id = capture_id JOIN payment_intents intent ON intent.id = intent_id
          WHERE advances.kind = 'settled' AND ref_id = ?)`,
      [note.id, String(orderId)],
    );
    expect(out?.paid).toBe(owed * 100);
    await expectSound(company);
  });

  test("a note of the same moment is not passed over", async () => {
    const { orderId } = await paidOrder(seller);
    const [row] = await rowsOf(company, "SELECT invoice_id FROM sales_orders WHERE id = ?", [orderId]);
    const [dismissed, note] = await Promise.all([
      resolve(seller, orderId, dismissal),
      newNote(company, String(row?.invoice_id)),
    ]);
    const left = dismissed.status === 200 ? 100 : 200;
    expect([200, 409]).toContain(dismissed.status);
    expect(await dueOf(company, String(orderId))).toEqual([left]);
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    if (left === 200) await resolved(seller, orderId, dismissal);
    expect(await dueOf(company, String(orderId))).toEqual([]);
    await expectSound(company);
  });
});

test("credit that left the list of what is due without an entry is named", async () => {
  const { orderId } = await paidOrder(seller, "paid");
  const [row] = await rowsOf(company, "SELECT invoice_id FROM sales_orders WHERE id = ?", [orderId]);
  await newNote(company, String(row?.invoice_id));
  await tamper(company, [
    `UPDATE sales_orders SET needs_refund = 0, outside_reference = 'UTR1' WHERE id = ${orderId}`,
  ]);
  expect(sentences(await check(company)).join()).toContain("an order whose invoice has unused credit");
});
