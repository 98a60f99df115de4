import { expect, inject, test } from "vitest";
import { Database } from "#core/database/database.ts";
import { convertRecords } from "../../../src/features/money-moves/convert.ts";
import { must, platform } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newInvoice } from "../commerce.ts";
import { newNote } from "../credit-notes/notes.ts";
import { newPayment, refund } from "../money.ts";
import { openSeller } from "../payments/online/unpaid.ts";
import { soldOrder } from "../refunds/sales.ts";
import { expectConserved, withoutMoves } from "./moves.ts";

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

  await withoutMoves(company);
  must(await platform("POST", `/platform/companies/${company.slug}/migrations`), 200);
  expect(await rows()).toEqual([]);
  // Until all have, the self-check compares none.
  await expectSound(company);
  await company.faults({
    kind: "reset_before",
    writes_only: true,
    about: "converted_moves",
    every: 6,
    times: 1,
  });
  const { libsqlUrl: url, libsqlToken: token } = inject("service");
  const run = () =>
    convertRecords({ database: new Database({ url: `${url}/dev/${company.namespace}/`, token }) });
  await expect(run()).rejects.toThrow();
  const left = "SELECT source_type, through FROM converted_moves WHERE through < until";
  expect(await company.rows(left)).toEqual([{ source_type: "payment", through: 2_000 }]);
  await sale.note(40);
  must(await refund(company, last.id), 200);
  await newPayment(company, { invoice_id: (await newInvoice(company, customerId)).id, amount: 1 });
  await company.sweep(async () => (await company.rows(left)).length === 0);
  await expectConserved(company);
  const after = await rows();
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.length).toBe(before.length + 5);
  await run();
  expect(await rows()).toEqual(after);
});
