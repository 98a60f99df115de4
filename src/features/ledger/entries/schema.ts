import * as z from "zod";
import { isoDate } from "#shared/dates.ts";
import { idReference, recordId } from "#shared/ids.ts";
import { patchOf } from "#shared/patch.ts";
import { UNPOSTED_REASONS } from "#shared/posting.ts";
import { cleanText } from "#shared/text.ts";

const ACCOUNT_TYPES = ["asset", "liability", "equity", "income", "expense"] as const;

const accountFields = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,19}$/, "must be 1 to 20 letters, digits, dots or hyphens")
    .refine((code) => !/^1100-[0-9]+$/.test(code), {
      params: { code: "reserved" },
      error: "must not be 1100 and a number: such codes are of customers' accounts",
    }),
  name: cleanText({ min: 1, max: 255 }),
  type: z.enum(ACCOUNT_TYPES),
  is_active: z.boolean().meta({ description: "Nothing new is posted to an inactive account." }),
});
export const AccountCreate = accountFields.partial().required({ code: true, name: true, type: true });
export const AccountPatch = patchOf(accountFields.pick({ name: true, is_active: true }));
export const AccountParams = z.object({ id: recordId });

export const Account = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  type: z.enum(ACCOUNT_TYPES),
  parent_id: z.string().nullable(),
  customer_id: z.string().nullable().meta({ description: "Set on a customer's debtor account." }),
  is_active: z.boolean(),
  debit: z.number(),
  credit: z.number(),
  balance: z.number().meta({ description: "Debits less credits." }),
});
export const DeletedAccount = z.object({ id: z.string(), deleted: z.literal(true) });

export const EntryParams = z.object({ id: recordId });
export const EntryQuery = z.object({
  account_id: idReference.optional().meta({ description: "Entries with a line on this account." }),
});
export const JournalEntry = z.object({
  id: z.string(),
  entry_number: z.string(),
  entry_date: z.string(),
  voucher_type: z.string(),
  source_type: z.string(),
  source_id: z.string(),
  status: z.enum(["posted", "voided"]).meta({ description: "`voided`: reversed by a later entry." }),
  reversal_of: z.string().nullable(),
  narration: z.string(),
  lines: z.array(
    z.object({
      account_id: z.string(),
      account_code: z.string(),
      account_name: z.string(),
      debit: z.number(),
      credit: z.number(),
    }),
  ),
  created_at: z.string(),
});

export const Unposted = z.object({
  source_type: z.enum(["invoice", "payment", "order"]).meta({
    description: "`order`: what was paid for an order that waits in review and has no invoice yet.",
  }),
  source_id: z.string(),
  number: z.string(),
  date: z.string(),
  amount: z.number(),
  currency: z.string(),
  reason: z
    .enum(UNPOSTED_REASONS)
    .meta({ description: "What stood in the way when the journal entry was left out." }),
});

export const TrialBalanceQuery = z.object({
  as_of: isoDate.optional().meta({ description: "Entries dated up to this day; today by default." }),
});
export const TrialBalance = z.object({
  as_of: z.string(),
  accounts: z.array(
    Account.pick({ code: true, name: true, type: true, debit: true, credit: true, balance: true }),
  ),
  total_debit: z.number(),
  total_credit: z.number(),
});

export type AccountCreate = z.infer<typeof AccountCreate>;
export type AccountPatch = z.infer<typeof AccountPatch>;
export type AccountParams = z.infer<typeof AccountParams>;
export type EntryParams = z.infer<typeof EntryParams>;
export type EntryQuery = z.infer<typeof EntryQuery>;
export type TrialBalanceQuery = z.infer<typeof TrialBalanceQuery>;
