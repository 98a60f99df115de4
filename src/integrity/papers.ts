import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { columnNames } from "#core/sql/columns.ts";
import type { Papers } from "#core/write/paper-digests.ts";
import { lessonReceipts } from "#tables/bookings";
import { advances, gatewayCaptures, settlements } from "#tables/captures";
import { creditApplications, creditNoteItems, creditNotes, creditPayouts } from "#tables/credit-notes";
import { invoiceItems, invoices } from "#tables/invoices";
import { accounts, journalEntries, journalLines } from "#tables/ledger";
import { payments } from "#tables/payments";
import { stockMovements } from "#tables/products";
import { gatewayRefunds } from "#tables/refunds";

/**
 * A table whose records are papers. Each column of it is final, unless it may change, and then the reason stands beside
 * it. A final column may be an expression of what an erasure leaves of it.
 */
type Paper = {
  table: SQLiteTable;
  kind: string;
  erasable?: Readonly<Record<string, string>>;
  changes: Readonly<Record<string, string>>;
  /** `paper`: the column by which a line belongs to its paper; all others of it are final. */
  lines?: { table: SQLiteTable; paper: string };
  /** Why a record may be deleted. */
  deleted?: string;
};

/** The papers. A new table of papers stands here, and nowhere else. */
export const PAPER_TABLES: readonly Paper[] = [
  {
    table: invoices,
    kind: "invoice",
    // Both are not printed, and go with their person.
    erasable: { customer: "json_remove(these.customer, '$.email', '$.phone')" },
    changes: {
      status: "it is sent and voided",
      amount_paid: "by payments; a sentence compares them",
      tds_amount: "by payments; a sentence compares them",
      amount_credited: "by credit notes; a sentence compares them",
      taxable_credited: "by credit notes; a sentence compares them",
      credit_status: "follows from the amounts",
      refunded_without_credit_note: "by refunds; a sentence compares them",
      amount_due: "by payments and credit notes; a sentence compares them",
      due_raises: "with amount_due",
      payment_status: "follows from the amounts",
      public_token: "opens the page",
      sent_at: "it is sent",
      voided_at: "it is voided",
      voided_by: "it is voided",
      overdue_since: "by the clock",
      updated_at: "with any of these",
    },
    lines: { table: invoiceItems, paper: "invoice_id" },
  },
  {
    table: payments,
    kind: "payment",
    changes: {
      deleted_at: "it is removed",
      removed_by: "it is removed",
      updated_at: "with any of these",
    },
  },
  {
    table: creditNotes,
    kind: "credit_note",
    changes: {
      status: "it is voided",
      applied_amount: "by applications; a sentence compares them",
      paid_out_amount: "by payouts; a sentence compares them",
      gateway_refunded_amount: "by refunds; a sentence compares them",
      unapplied_amount: "follows from the amounts",
      public_token: "opens the page",
      voided_at: "it is voided",
      updated_at: "with any of these",
    },
    lines: { table: creditNoteItems, paper: "credit_note_id" },
  },
  {
    table: creditPayouts,
    kind: "credit_payout",
    changes: { reversed_at: "it is taken back" },
  },
  {
    table: journalEntries,
    kind: "journal_entry",
    changes: { status: "its reversal voids it" },
    lines: { table: journalLines, paper: "entry_id" },
  },
  // What moves goods and money beside the papers: its records are final too.
  {
    table: stockMovements,
    kind: "stock_movement",
    changes: {},
  },
  {
    table: gatewayCaptures,
    kind: "gateway_capture",
    changes: {
      gateway_account_id: "the account that opened its payment reports it after another",
      amount: "it rises by what the gateway reports later",
      intent_id: "the gateway may report it later",
      customer_id: "its order or booking finds its customer",
      outcome: "by later reports",
      fee: "the gateway may report it later",
      method: "the gateway may report it later",
      invoiced_amount: "by payments and receipts; a sentence compares them",
      settled_amount: "by advances; a sentence compares them",
      withdrawn_amount: "by refunds; a sentence compares them",
      refunded_amount: "by refunds; a sentence compares them",
      lent_amount: "by refunds of its siblings; a sentence compares them",
      advance_amount: "follows from the amounts",
      state: "follows from the amounts",
      settlement_id: "it is paid out, or that is taken back; a digest of the payout's captures keeps it",
    },
  },
  {
    table: gatewayRefunds,
    kind: "gateway_refund",
    changes: {
      reason_text: "its customer is erased",
      status: "as its gateway says",
      credit_note_id: "a credit note is issued for what its gateway gave back",
      covered_amount: "by advances; a sentence compares them",
      gateway_refund_id: "its gateway says it",
      failure_code: "it fails",
      attempts: "with each look",
      next_look_at: "with each look",
      sent_at: "it is sent",
      entry_date: "it succeeds",
      settled_at: "it ends",
      reviewed_at: "staff end its review",
    },
  },
  {
    table: settlements,
    kind: "settlement",
    changes: {
      reversed_at: "it is taken back",
      freed_captures: "it is taken back; the digest of its captures keeps them",
    },
  },
  {
    table: advances,
    kind: "advance",
    changes: {},
  },
  {
    table: creditApplications,
    kind: "credit_application",
    changes: { removed_at: "its note or its invoice is voided, or it is taken back" },
  },
  {
    table: lessonReceipts,
    kind: "lesson_receipt",
    changes: {
      refund_number: "it is paid back",
      refund_date: "it is paid back",
      ended_by: "it is paid back, taken back or invoiced",
      reversed_at: "it is taken back",
    },
  },
  {
    table: accounts,
    kind: "account",
    changes: {
      name: "it is renamed",
      is_active: "it is switched off",
      deleted_at: "its customer is removed",
      updated_at: "with any of these",
    },
    deleted: "an account that was never used",
  },
];

// A payout that names its captures does so as it is made. Of a kind of its own: digests of payouts without them exist.
const SETTLED_CAPTURES: Papers = {
  kind: "settled_captures",
  table: "settlements",
  text: `coalesce(freed_captures, (SELECT json_group_array(id) FROM (SELECT id FROM gateway_captures WHERE settlement_id = these.id ORDER BY id)))`,
};

/** The papers as the job that chains the audit log, and the self-check, read them. */
export const PAPERS: readonly Papers[] = [
  ...PAPER_TABLES.map((paper) => ({
    kind: paper.kind,
    table: getTableName(paper.table),
    text: textOf(paper),
  })),
  SETTLED_CAPTURES,
];

// In the order of the table, in which digests hold the columns.
function textOf({ table, changes, erasable = {}, lines }: Paper): string {
  const final = columnNames(table).filter((name) => name !== "id" && !Object.hasOwn(changes, name));
  const cells = final.map((column) => erasable[column] ?? `these.${column}`);
  if (lines === undefined) return `json_array(${cells.join(", ")})`;
  const ofLine = columnNames(lines.table).filter((name) => name !== lines.paper);
  const ordered = `SELECT json_array(${ofLine.join(", ")}) AS line FROM ${getTableName(lines.table)} WHERE ${lines.paper} = these.id ORDER BY position`;
  return `json_array(${cells.join(", ")}, (SELECT json_group_array(json(line)) FROM (${ordered})))`;
}
