import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { ACCOUNTS } from "#shared/payments/books.ts";

const ACCOUNT_TYPES = ["asset", "liability", "equity", "income", "expense"] as const;

const DEBTOR_CODE = new RegExp(`^${ACCOUNTS.sundryDebtors}-[0-9]+$`);

const accountFields = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,19}$/, "must be 1 to 20 letters, digits, dots or hyphens")
    .refine((code) => !DEBTOR_CODE.test(code), {
      params: { code: "reserved" },
      error: `must not be ${ACCOUNTS.sundryDebtors} and a number: such codes are of customers' accounts`,
    }),
  name: cleanText({ min: 1, max: 255 }),
  type: z.enum(ACCOUNT_TYPES),
  is_active: z.boolean().meta({ description: "Nothing new is posted to an inactive account." }),
});
export const AccountCreate = accountFields.partial().required({ code: true, name: true, type: true });
export const AccountPatch = patchOf(accountFields.pick({ name: true, is_active: true }));

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
export type AccountCreate = z.infer<typeof AccountCreate>;
export type AccountPatch = z.infer<typeof AccountPatch>;
