import { type SQL, sql } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import type { RowOf } from "#core/sql/record.ts";
import { atomic, type Refusals } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import type { AccountKey } from "#shared/payments/books.ts";
import { fieldProblem } from "#shared/problem.ts";
import { accounts, journalEntries, manualEntries } from "#tables/ledger";
import { entry } from "../entries/entries.ts";
import { documentOf } from "../entries/post.ts";
import { postStrictly, STRICTLY_POSTED } from "../entries/post-documents.ts";
import { closedDate, refuseFuture } from "../settings/closed-date.ts";
import { holdClearing } from "./clearing.ts";

const NAMES_NONE = {
  any: "names no account",
  money: "names no cash, bank or clearing account",
  expense: "names no account of expenses",
};
/** A line of an entry by hand, and the field that names its account: by `id` or `code`, or the service by `key`. */
export type Line = {
  field: string;
  id?: number | undefined;
  code?: string | undefined;
  key?: AccountKey;
  mustBe?: "money" | "expense";
  debit?: number | undefined;
  credit?: number | undefined;
  memo?: string | undefined;
};
type ByHand = Omit<typeof manualEntries.$inferInsert, "operation" | "memos" | "createdAt"> & {
  /** The day, and the field that says it. */
  day: { date: string; field: string };
  narration: string;
  lines: readonly Line[];
  /** Statements before the entry. */
  guards?: readonly SQL[];
  refusals?: Refusals;
};
export type EntryRow = RowOf<typeof entry>;

/** Writes an entry by hand; strict: what cannot be posted is refused. */
export async function writeEntry(ctx: WriteCtx, given: ByHand): Promise<EntryRow> {
  const { day, narration, guards = [], refusals, lines: named, ...columns } = given;
  refuseFuture(ctx, day.field, day.date);
  const lines = await withAccounts(ctx, given);
  const clearing = await holdClearing(ctx, lines);
  const operation = ctx.call.id;
  const id = sql<number>`(SELECT coalesce(max(${manualEntries.id}), 0) + 1 FROM ${manualEntries})`;
  const posting = { ordinal: 0, voucherType: given.kind, sourceType: "manual", date: day.date };
  const memos = JSON.stringify(named.map(({ memo = null }) => memo));
  return atomic(
    ctx,
    [
      ...guards,
      ...postStrictly(ctx, { ...posting, documents: documentOf(id, narration, lines) }),
      ctx.db.insert(manualEntries).values({ ...columns, id, operation, memos, createdAt: ctx.now }),
      ...clearing.held,
    ],
    entry.select(sql`${journalEntries.operation} = ${operation} AND ${journalEntries.ordinal} = 0`),
    { ...STRICTLY_POSTED, ...closedDate(day.field), ...clearing.refusals, ...refusals },
  );
}

const shape = {
  id: sql<number | null>`${accounts.id}`,
  key: sql<string>`coalesce(${accounts.systemKey}, '')`,
  is_active: accounts.isActive,
  money: sql<number>`${accounts.type} = 'asset' AND (
    coalesce(${accounts.systemKey}, 'bank') IN ('bank', 'cash') OR ${accounts.systemKey} LIKE '%_clearing')`,
  expense: sql<number>`${accounts.type} = 'expense'`,
  /** Whether it is of tax; null where it is no control account. */
  is_head: sql<
    number | null
  >`(SELECT is_head FROM control_accounts WHERE control_accounts.id = ${accounts.id})`,
};

/** The lines as they are posted. Throws 422 for an account that is not there, inactive, or not to be used by hand. */
async function withAccounts(ctx: WriteCtx, { lines, kind, taxAdjustment = 0 }: ByHand) {
  const named = sql`coalesce(line.value ->> '$.id', (SELECT id FROM ${accounts} WHERE code = line.value ->> '$.code'),
    (SELECT id FROM ${accounts} WHERE system_key = line.value ->> '$.key'))`;
  const select = sql`SELECT ${jsonObject(shape)} AS snapshot FROM json_each(${JSON.stringify(lines)}) AS line
    LEFT JOIN ${accounts} ON ${accounts.id} = ${named} AND ${accounts.deletedAt} IS NULL ORDER BY line.key`;
  const [rows] = await read(ctx, [jsonQuery(ctx, select as ReturnType<typeof jsonObject<typeof shape>>)]);
  const found = parseRows(rows);
  return lines.map(({ field, mustBe, key: ofService, debit = 0, credit = 0 }, place) => {
    const account = found[place];
    if (account?.id == null || (mustBe !== undefined && account[mustBe] === 0))
      throw fieldProblem(field, "not_found", NAMES_NONE[mustBe ?? "any"]);
    const refuse = (code: "account_inactive" | "control_account", words: string) =>
      fieldProblem(field, code, words, code);
    if (account.is_active === 0) throw refuse("account_inactive", "names an account that is switched off");
    const mayBeHead = kind === "opening" || taxAdjustment === 1;
    if (ofService === undefined && account.is_head !== null && !(mayBeHead && account.is_head === 1))
      throw refuse(
        "control_account",
        account.is_head === 1
          ? "names an account of tax: send tax_adjustment, if that is what you do"
          : "names an account whose balance documents prove",
      );
    return { id: account.id, key: account.key, field, amount: credit - debit, debit, credit };
  });
}
