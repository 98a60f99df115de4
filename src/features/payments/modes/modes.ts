import { eq, notInArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { described, flag, idText, instant, nullable } from "#core/sql/fields.ts";
import { readAll } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { type Refusals, requireReferred } from "#core/write/atomic.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { ACCOUNTS, CLEARING_ACCOUNTS } from "#shared/payments/books.ts";
import { fieldProblem } from "#shared/problem.ts";
import { accounts } from "#tables/ledger";
import { paymentModes, payments } from "#tables/payments";

const MODE_TYPES = ["cash", "bank", "upi", "card", "cheque", "online"] as const;

const sent = z.object({
  name: cleanText({ min: 1, max: 100 }),
  mode_type: z.enum(MODE_TYPES),
  account_id: idReference
    .nullable()
    .meta({ description: "The ledger account of the money. Default: Cash for cash, otherwise Bank." }),
  is_active: z.boolean(),
});
const create = sent.partial().required({ name: true, mode_type: true });

const modeSettings = record(
  paymentModes,
  {
    id: idText,
    name: z.string(),
    mode_type: z.enum(MODE_TYPES),
    account_id: described(nullable(idText), "The account of the ledger that it is posted to."),
    is_active: flag,
    created_at: instant,
    updated_at: instant,
  },
  "PaymentMode",
);
/** A mode as it is shown with a payment. */
export const paymentMode = modeSettings.pick("id", "name", "mode_type");

// Of the accounts that the service posts to, those that hold money; what comes in on any other would falsify the books.
const MONEY = [ACCOUNTS.cash, ACCOUNTS.bank, ...Object.values(CLEARING_ACCOUNTS)] as const;
const OTHERS = Object.values(ACCOUNTS).filter((key) => !(MONEY as readonly string[]).includes(key));
const REFUSALS: Refusals = {
  account_gone: () =>
    fieldProblem("account_id", "not_found", "names no account, or one of income, tax or customers"),
};

function requireAccount(id: number | null | undefined): SQL[] {
  const holdsMoney = sql`${accounts.type} <> 'income' AND ${accounts.partyId} IS NULL AND coalesce(${notInArray(accounts.systemKey, OTHERS)}, 1)`;
  const account = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.id} = ${id} AND ${accounts.deletedAt} IS NULL AND ${holdsMoney}`;
  return requireReferred(id, account, "account_gone");
}

const listPaymentMethods = (ctx: CallCtx) =>
  readAll(ctx, paymentMode.select(sql`${paymentModes.isActive} = 1 ORDER BY ${paymentModes.id}`));

export const paymentMethodRoutes = new Router("Payments", "/methods").all({ listPaymentMethods }, "/", {
  summary: "List payment methods",
  description: "Only active payment modes.",
  record: { schema: paymentMode.schema.meta({ id: "PaymentMethod" }), render: paymentMode.render },
});

export const paymentModeSettingsRoutes = new Router("Settings: Payment modes", "/payment-modes").collection({
  ids: { one: "PaymentMode", list: "listPaymentModes" },
  words: ["a payment mode", "all payment modes"],
  record: modeSettings,
  create,
  patch: patchOf(sent),
  keepsTexts: true,
  verbs: collectionVerbs({
    record: modeSettings,
    create,
    made: ({ name }) => eq(paymentModes.name, name),
    guards: ({ account_id: account }) => requireAccount(account),
    usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.paymentModeId} = ${id})`,
    refusals: REFUSALS,
  }),
  problems: { create: ["duplicate_name"], update: ["duplicate_name"], delete: ["in_use"] },
  notes: {
    delete: { description: "Refused once a payment used it. Switch it off instead." },
  },
});
