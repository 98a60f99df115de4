import { describe, expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import { payOut } from "../../credit-notes/notes.ts";
import { today } from "../../money.ts";
import { openSeller } from "../../payments/online/unpaid.ts";
import { soldOrder } from "../../refunds/sales.ts";
import { refusal } from "../../refusal.ts";
import { resolve, resolved } from "./review.ts";

const seller = await openSeller();
const company = seller.company;

const dismissal = { action: "dismiss", outside_reference: "UTR1", payment_mode_id: 2 };

describe("an order whose invoice has unused credit is dismissed only after its payout, which is in the books", () => {
  test.each(["paid", "twice"] as const)("paid: %s", async (outcome) => {
    const { orderId, ...sale } = await soldOrder(seller, outcome);
    const note = await sale.note();
    const owed = outcome === "twice" ? 200 : 100;
    expect(await sale.due()).toEqual([owed]);
    expect(await resolve(seller, orderId, dismissal)).toMatchObject(
      refusal(409, "has_credit_notes", {
        message: expect.stringContaining("/payouts"),
        credit_note_ids: [note.id],
      }),
    );
    expect(await sale.due()).toEqual([owed]);
    must(await payOut(company, note.id, { amount: 100, payout_date: today() }), 201);
    if (outcome === "twice") {
      expect(await sale.due()).toEqual([100]);
      expect(await resolved(seller, orderId, dismissal)).toMatchObject({ needs_refund: false });
    }
    expect(await sale.due()).toEqual([]);
    expect((await sale.post()).status).toBe(422);
    const [out] = await rowsOf(
      company,
      `SELECT sum(credit) AS paid FROM journal_entries entry JOIN journal_lines ON entry_id = entry.id
        WHERE (source_type, source_id) IN (SELECT 'credit_payout', id FROM credit_payouts WHERE credit_note_id = ?)
        OR (source_type, source_id) IN (SELECT 'advance', advances.id FROM advances
          JOIN gateway_captures capture ON capture.id = capture_id JOIN payment_intents intent ON intent.id = intent_id
          WHERE advances.kind = 'settled' AND ref_id = ?)`,
      [note.id, sale.id],
    );
    expect(out?.paid).toBe(owed * 100);
    await expectSound(company);
  });
});
