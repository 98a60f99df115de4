import * as z from "zod";
import { moneyOnWire } from "#shared/fields/numbers.ts";
import { isoDate } from "#shared/time/dates.ts";
import { account } from "../accounts/accounts.ts";

export const TrialBalanceQuery = z.object({
  as_of: isoDate.optional().meta({ description: "Entries dated up to this day. Default: today." }),
  debtors: z.enum(["each", "together"]).optional().meta({
    description:
      "`each` (default): one account for each customer. `together`: their sum as Sundry Debtors. A company that uses more than 40,000 accounts must send `together`.",
  }),
});
export const TrialBalance = z
  .object({
    as_of: z.string().describe("The last day that counts."),
    currency: z.string().meta({ description: "The currency of the books." }),
    accounts: z.array(
      account.schema.pick({ code: true, name: true, type: true, debit: true, credit: true, balance: true }),
    ),
    total_debit: moneyOnWire,
    total_credit: moneyOnWire,
  })
  .meta({ id: "TrialBalance" });

export type TrialBalanceQuery = z.infer<typeof TrialBalanceQuery>;
