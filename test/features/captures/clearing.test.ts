import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { soundAtEnd } from "../../support/oracles.ts";
import { linesIn, write } from "../ledger/by-hand/books.ts";
import { postEntry, postSettlement, tally, times, today } from "../money.ts";
import { paidOrder } from "../refunds/refunds.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { openShop } from "../storefront/shop.ts";

const shop = soundAtEnd(await openShop());
const { company } = shop;
await paidOrder(shop, "paid");

let payouts = 0;
const settle = (fields: object, own: TestCompany = company) =>
  postSettlement(own, { payout_reference: `setl_${++payouts}`, ...fields });
const exceeded = (balance: number) => refusal(422, "settlement_mismatch", { balance });

test("a payout of 50,000 that never came is refused, by whatever call it is entered", async () => {
  expectRefused(await settle({ net_amount: 50_000 }), { net_amount: "settlement_mismatch" });
  expect(await settle({ net_amount: 100, fee_amount: 0.01 })).toMatchObject(exceeded(100));
  expect(await postEntry(company, ["1020", "1030"], 100.01)).toMatchObject(exceeded(100));
  const accounts = { from_account_id: "3", to_account_id: "2" };
  const answer = await write(company, "transfers", { paid_on: today(), ...accounts, amount: 100.01 });
  expect(answer).toMatchObject(exceeded(100));
  expectRefused(answer, { from_account_id: "settlement_mismatch" });
});

test("of two payouts at once that are more than was captured together, one is recorded", async () => {
  expect(tally(await times(2, () => settle({ net_amount: 60 })))).toEqual({ 201: 1, 422: 1 });
  // What was captured before the books began here is entered by hand, and may be paid out then.
  const opened = must(await postEntry(company, ["1030", "3900"], 20), 201).body.data;
  must(await settle({ net_amount: 50 }), 201);
  expect(await write(company, `journal-entries/${opened.id}/reverse`, {})).toMatchObject(exceeded(10));
});

test("the tax on a fee goes to its heads, where they are named", async () => {
  await paidOrder(shop, "paid");
  const heads = { fee_cgst_amount: 0.18, fee_sgst_amount: 0.18 };
  expectRefused(await settle({ net_amount: 97.64, fee_amount: 2, ...heads, fee_tax_amount: 0.3 }), {
    fee_tax_amount: "mismatch",
  });
  const answer = await settle({ net_amount: 97.64, fee_amount: 2, ...heads });
  expect(linesIn(answer)).toEqual([
    "Bank Dr 97.64 Cr 0",
    "Payment Gateway Charges Dr 2 Cr 0",
    "Input CGST Dr 0.18 Cr 0",
    "Input SGST Dr 0.18 Cr 0",
    "Razorpay Clearing Dr 0 Cr 100",
  ]);
  const [listed] = await company.read<object[]>("/ledger/:company/settlements?limit=1");
  expect(listed).toMatchObject({ fee_tax_amount: 0.36 });
});

test("what was captured and is in no entry can be paid out, in another currency too", async () => {
  const own = await openShop();
  await own.company.rows("UPDATE accounts SET is_active = 0 WHERE system_key = 'razorpay_clearing'");
  await paidOrder(own, "paid");
  await own.company.rows("UPDATE accounts SET is_active = 1 WHERE system_key = 'razorpay_clearing'");
  expect(await settle({ net_amount: 100.01 }, own.company)).toMatchObject(exceeded(0));
  must(await settle({ net_amount: 100 }, own.company), 201);
  expect(await settle({ net_amount: 0.01 }, own.company)).toMatchObject(exceeded(-100));
  const foreign = await openCompany();
  const connected = await connectGateway(foreign, "razorpay", { currencies: ["INR", "USD"] });
  expect(await settle({ net_amount: 8_800 }, foreign)).toMatchObject(exceeded(0));
  await paidOrder({ company: foreign, connected }, "paid", "USD");
  must(await settle({ net_amount: 8_800 }, foreign), 201);
});
