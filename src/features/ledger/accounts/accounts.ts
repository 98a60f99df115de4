import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { added, amount, described, flag, from, idText, nullable } from "#core/sql/fields.ts";
import { selectId } from "#core/sql/json.ts";
import { equalTo } from "#core/sql/narrowed.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { atomic, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { moneyOnWire, moneyToWire } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import type { Page } from "#shared/page.ts";
import { DEBTORS_CODE } from "#shared/payments/books.ts";
import { Problem } from "#shared/problem.ts";
import { accounts, journalLines } from "#tables/ledger";
import { paymentModes } from "#tables/payments";
import { thenPosting } from "../unposted/post-missing.ts";

const ACCOUNT_TYPES = ["asset", "liability", "equity", "income", "expense"] as const;
const DEBTOR_CODE = new RegExp(`^${DEBTORS_CODE}-[0-9]+$`);

const sent = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,19}$/, "must be 1 to 20 letters, digits, dots or hyphens")
    .refine((code) => !DEBTOR_CODE.test(code), {
      params: { code: "reserved" },
      error: `must not be ${DEBTORS_CODE} and a number: such codes are of customers' accounts`,
    }),
  name: cleanText({ min: 1, max: 255 }),
  type: z.enum(ACCOUNT_TYPES),
  is_active: z.boolean().meta({ description: "An inactive account gets no new postings." }),
});
const create = sent.partial().required({ code: true, name: true, type: true });

const sum = (side: "debit" | "credit") =>
  sql<number>`(
    SELECT coalesce(sum(${journalLines[side]}), 0) FROM ${journalLines} WHERE ${journalLines.accountId} = ${accounts.id}
  )`;

/** An account with the sums of its lines. */
export const account = record(
  accounts,
  {
    id: idText,
    code: z.string(),
    name: z.string(),
    type: z.enum(ACCOUNT_TYPES),
    parent_id: nullable(idText),
    customer_id: from(accounts.partyId, described(nullable(idText), "Set on a customer's debtor account.")),
    is_active: described(flag, "Whether new entries may use it."),
    debit: from(sum("debit"), described(amount, "All debits so far, in the currency of the books.")),
    credit: from(sum("credit"), described(amount, "All credits so far, in the currency of the books.")),
    balance: added(
      moneyOnWire.meta({ description: "Debits minus credits." }),
      ({ debit, credit }: { debit: number; credit: number }) => moneyToWire(debit - credit),
    ),
  },
  "Account",
);
const verbs = collectionVerbs({
  record: account,
  create,
  made: ({ code }) => eq(accounts.code, code),
  // A customer's account keeps the customer's name.
  guards: ({ name }, id) =>
    id === undefined || name === undefined
      ? []
      : [
          refuseWhen(
            sql`EXISTS (SELECT 1 FROM ${accounts} WHERE ${here(id)} AND ${accounts.partyId} IS NOT NULL)`,
            "in_use",
          ),
        ],
  refusals: ({ code }) => ({
    "accounts.code": () =>
      new Problem("conflict", { message: `The code ${code} is taken`, members: { field: "code" } }),
    in_use: () => new Problem("in_use", { message: "A customer's account has the customer's name" }),
  }),
});

const AccountQuery = z.object({
  code: z.string().max(20).optional().meta({ description: "The account that has this code." }),
  type: z.enum(ACCOUNT_TYPES).optional(),
});

export const accountRoutes = new Router("Ledger", "/accounts").list({ listAccounts }, "/", {
  summary: "List the accounts with their balances",
  query: AccountQuery,
  record: account,
});

export const accountSettingsRoutes = new Router("Settings: Accounts", "/accounts").collection({
  ids: { one: "Account", list: "listAccountSettings" },
  words: ["an account", "the chart of accounts"],
  record: account,
  create,
  patch: patchOf(sent.pick({ name: true, is_active: true })),
  verbs: { ...verbs, update: thenPosting(verbs.update), remove: deleteAccount },
  problems: {
    create: ["conflict", "duplicate_name"],
    update: ["duplicate_name", "in_use"],
    delete: ["in_use"],
  },
  notes: {
    update: { summary: "Rename an account or switch it off" },
    delete: {
      description:
        "Refused for the service's own accounts, for customers' accounts, and for any used account.",
    },
  },
});

function listAccounts(
  ctx: CallCtx,
  _params: unknown,
  { page, ...asked }: z.infer<typeof AccountQuery> & { page: Page },
) {
  return readNewest(ctx, page, account, equalTo(accounts, asked, "code", "type"));
}

/** Takes an account out of the chart; refused for the service's own, a customer's, and any that was ever used. */
function deleteAccount(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  const used = sql`EXISTS (
    SELECT 1 FROM ${accounts} WHERE ${here(id)} AND (
      ${accounts.systemKey} IS NOT NULL OR ${accounts.partyId} IS NOT NULL
      OR EXISTS (SELECT 1 FROM ${journalLines} WHERE ${journalLines.accountId} = ${id})
      OR EXISTS (SELECT 1 FROM ${paymentModes} WHERE ${paymentModes.accountId} = ${id})
    )
  )`;
  return atomic(
    ctx,
    [refuseWhen(used, "in_use"), ctx.db.delete(accounts).where(here(id)), refuseIfNone("not_found")],
    selectId(id),
  );
}

function here(id: number): SQL | undefined {
  return and(eq(accounts.id, id), isNull(accounts.deletedAt));
}
