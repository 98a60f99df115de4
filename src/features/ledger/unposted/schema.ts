import * as z from "zod";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";

export const Unposted = z.object({
  source_type: z.enum(["invoice", "payment", "order"]).meta({
    description: "`order`: the money of an order that waits in review and has no invoice yet.",
  }),
  source_id: z.string(),
  number: z.string(),
  date: z.string(),
  amount: z.number(),
  currency: z.string(),
  reason: z.enum(UNPOSTED_REASONS).meta({ description: "The reason why the journal entry was left out." }),
});
