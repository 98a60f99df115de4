import * as z from "zod";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";

const MODE_TYPES = ["cash", "bank", "upi", "card", "cheque", "online"] as const;
/** A mode as it is shown with a payment. */
export const PaymentMode = z.object({ id: z.string(), name: z.string(), mode_type: z.enum(MODE_TYPES) });

const modeFields = z.object({
  name: cleanText({ min: 1, max: 100 }),
  mode_type: z.enum(MODE_TYPES),
  account_id: idReference
    .nullable()
    .meta({ description: "Where the money goes: by default Cash for cash, else Bank." }),
  is_active: z.boolean(),
});
export const PaymentModeCreate = modeFields.partial().required({ name: true, mode_type: true });
export const PaymentModePatch = patchOf(modeFields);
export const PaymentModeSettings = PaymentMode.extend({
  account_id: z.string().nullable(),
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type PaymentModeCreate = z.infer<typeof PaymentModeCreate>;
export type PaymentModePatch = z.infer<typeof PaymentModePatch>;
