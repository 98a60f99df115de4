import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { soundAtEnd } from "../../../support/oracles.ts";
import { newCustomer } from "../../commerce.ts";
import { times } from "../../money.ts";
import { expectRefused, refusal } from "../../refusal.ts";
import { linesIn, openBooks, TODAY, write } from "./books.ts";

const { company, idOf } = soundAtEnd(await openBooks());

const lines = [
  { account_code: "1020", debit: 1000 },
  { account_code: "2100", credit: 90 },
];
const open = (fields: object = {}) =>
  write(company, "opening-balances", { as_of: "2026-03-31", lines, ...fields });

test("opening balances are recorded once, and their difference is equity", async () => {
  await newCustomer(company);
  const debtor = await open({ lines: [{ account_code: "1100-1", debit: 5 }] });
  expect(debtor).toMatchObject(refusal(422, "control_account"));
  const [made, other] = (await times(2, () => open())).toSorted((one, two) => one.status - two.status);
  expect(other).toMatchObject(refusal(409, "opening_exists"));
  expect(linesIn(made as typeof debtor)).toEqual([
    "Bank Dr 1000 Cr 0",
    "Output CGST Dr 0 Cr 90",
    "Opening Balance Equity Dr 0 Cr 910",
  ]);
  expect(made?.body.data).toMatchObject({ voucher_type: "opening", entry_date: "2026-03-31" });
});

test("reversed, they are recorded anew, before the first other entry of each account", async () => {
  const [made] = await company.read<{ id: string }[]>(
    "/ledger/:company/journal-entries?voucher_type=opening",
  );
  must(await write(company, `journal-entries/${made?.id}/reverse`, {}), 201);
  const transfer = { from_account_id: idOf.Bank, to_account_id: idOf.Cash, amount: 1, paid_on: "2026-04-01" };
  must(await write(company, "transfers", transfer), 201);
  expectRefused(await open({ as_of: "2026-04-01" }), { as_of: "too_big" });
  must(await open({ as_of: "2026-04-01", lines: [{ account_id: idOf.Capital, credit: 5 }] }), 201);
  expectRefused(await open({ as_of: TODAY }), { as_of: "too_big" });
});
