import * as z from "zod";
import { isoDate } from "#shared/time/dates.ts";
import { Account } from "../accounts/schema.ts";

export const TrialBalanceQuery = z.object({
  as_of: isoDate.optional().meta({ description: "Entries dated up to this day; today by default." }),
  debtors: z.enum(["each", "together"]).optional().meta({
    description:
      "`each`, by default: an account for every customer. `together`: their sum as Sundry Debtors, which a company with more than 40,000 accounts in use has to ask for.",
  }),
});
export const TrialBalance = z.object({
  as_of: z.string(),
  accounts: z.array(
    Account.pick({ code: true, name: true, type: true, debit: true, credit: true, balance: true }),
  ),
  total_debit: z.number(),
  total_credit: z.number(),
});

export type TrialBalanceQuery = z.infer<typeof TrialBalanceQuery>;
