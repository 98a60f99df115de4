import { expect, test } from "vitest";
import { must, platform } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newInvoice } from "../commerce.ts";
import { newNote } from "../credit-notes/notes.ts";
import { newPayment, refund } from "../money.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { soldOrder } from "../refunds/sales.ts";
import { expectConserved, without } from "./moves.ts";

test("records of a release before become moves in slices, also where a run is cut off and writes go on", async () => {
  const seller = await openSeller();
  const { company, customerId } = seller;
  const sale = await soldOrder(seller, "twice");
  await sale.refund();
  await sale.console(40);
  const { id: invoice_id } = await newInvoice(company, customerId);
  await newPayment(company, { invoice_id, amount: 10 });
  // The records between are gone: a slice takes so many ids.
  await company.rows("UPDATE sqlite_sequence SET seq = 4100 WHERE name = 'payments'");
  const last = await newPayment(company, { invoice_id, amount: 20, tds_amount: 5, tds_section: "194C" });
  await newNote(company, invoice_id);
  const rows = () => company.rows("SELECT * FROM money_moves ORDER BY key");
  const before = await rows();

  await without(company, "28_money_moves");
  // After five slices each one is cut off.
  const slices = { writes_only: true, about: "FROM moves_of_records" };
  await company.faults(
    { kind: "delay", delay_ms: 1, times: 5, ...slices },
    { kind: "reset_before", ...slices },
  );
  must(await platform("POST", `/platform/companies/${company.slug}/migrations`), 200);
  await company.sweep(async () => (await company.faultsMet()) > 5);
  const left = "SELECT source_type, through FROM converted_moves WHERE through < until";
  expect(await company.rows(left)).toEqual([{ source_type: "payment", through: 2_000 }]);
  // Until all are moves, the self-check compares none.
  await expectSound(company);
  await sale.note(40);
  must(await refund(company, last.id), 200);
  await newPayment(company, { invoice_id: (await newInvoice(company, customerId)).id, amount: 1 });
  await company.faults();
  await company.sweep(async () => (await company.rows(left)).length === 0);
  await expectConserved(company);
  const after = await rows();
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.length).toBe(before.length + 5);
});
