import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";

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

export type EntryQuery = z.infer<typeof EntryQuery>;
