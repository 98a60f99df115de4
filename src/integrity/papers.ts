import type { Papers } from "#core/write/paper-digests.ts";

/**
 * A table whose records are papers. Each column of it is either `final`, or may change, and then the reason stands
 * beside it. A final column may be an expression of what an erasure leaves of it.
 */
export type Paper = {
  kind: string;
  final: readonly string[];
  erasable?: Readonly<Record<string, string>>;
  changes: Readonly<Record<string, string>>;
  lines?: { table: string; paper: string; final: readonly string[] };
  /** Why a record may be deleted. */
  deleted?: string;
};

/** The papers by their tables. A new table of papers stands here, and nowhere else. */
export const PAPER_TABLES: Readonly<Record<string, Paper>> = {
  invoices: {
    kind: "invoice",
    final: [
      "operation",
      "invoice_number",
      "currency",
      "customer_id",
      "customer",
      "seller",
      "invoice_date",
      "due_date",
      "financial_year",
      "place_of_supply_code",
      "place_of_supply_name",
      "supply_type",
      "document_type",
      "sub_total",
      "discount_total",
      "taxable_total",
      "cgst_total",
      "sgst_total",
      "igst_total",
      "tax_total",
      "round_off",
      "total_amount",
      "source",
      "sales_order_id",
      "reference_number",
      "notes",
      "terms",
      "metadata",
      "created_at",
    ],
    // Both are not printed, and go with their person.
    erasable: { customer: "json_remove(these.customer, '$.email', '$.phone')" },
    changes: {
      status: "it is sent and voided",
      amount_paid: "by payments; a sentence compares them",
      tds_amount: "by payments; a sentence compares them",
      amount_credited: "by credit notes; a sentence compares them",
      taxable_credited: "by credit notes; a sentence compares them",
      credit_status: "follows from the amounts",
      amount_due: "by payments and credit notes; a sentence compares them",
      payment_status: "follows from the amounts",
      public_token: "opens the page",
      sent_at: "it is sent",
      voided_at: "it is voided",
      voided_by: "it is voided",
      overdue_since: "by the clock",
      updated_at: "with any of these",
    },
    lines: {
      table: "invoice_items",
      paper: "invoice_id",
      final: [
        "id",
        "position",
        "product_id",
        "item_name",
        "description",
        "hsn_sac_code",
        "quantity",
        "unit",
        "unit_price",
        "discount_amount",
        "taxable_value",
        "tax_rate",
        "gst_treatment",
        "cgst_amount",
        "sgst_amount",
        "igst_amount",
      ],
    },
  },
  payments: {
    kind: "payment",
    final: [
      "operation",
      "payment_number",
      "invoice_id",
      "customer_id",
      "amount",
      "tds_amount",
      "tds_section",
      "currency",
      "payment_date",
      "payment_mode_id",
      "reference_number",
      "notes",
      "gateway",
      "gateway_payment_id",
      "is_advance",
      "source",
      "created_at",
    ],
    changes: {
      deleted_at: "it is removed",
      removed_by: "it is removed",
      updated_at: "with any of these",
    },
  },
  credit_notes: {
    kind: "credit_note",
    final: [
      "operation",
      "credit_note_number",
      "invoice_id",
      "customer_id",
      "note_date",
      "financial_year",
      "reason",
      "reason_text",
      "with_tax",
      "goods_only",
      "taxable_total",
      "cgst_total",
      "sgst_total",
      "igst_total",
      "tax_total",
      "round_off",
      "total_amount",
      "metadata",
      "created_at",
    ],
    changes: {
      status: "it is voided",
      applied_amount: "by applications; a sentence compares them",
      paid_out_amount: "by payouts; a sentence compares them",
      unapplied_amount: "follows from the amounts",
      public_token: "opens the page",
      voided_at: "it is voided",
      updated_at: "with any of these",
    },
    lines: {
      table: "credit_note_items",
      paper: "credit_note_id",
      final: [
        "id",
        "position",
        "invoice_item_id",
        "quantity",
        "taxable_value",
        "unearned_amount",
        "cgst_amount",
        "sgst_amount",
        "igst_amount",
      ],
    },
  },
  credit_payouts: {
    kind: "credit_payout",
    final: [
      "operation",
      "credit_note_id",
      "amount",
      "payout_date",
      "payment_mode_id",
      "reference_number",
      "created_at",
    ],
    changes: {},
  },
  journal_entries: {
    kind: "journal_entry",
    final: [
      "operation",
      "ordinal",
      "entry_number",
      "entry_date",
      "voucher_type",
      "source_type",
      "source_id",
      "reversal_of",
      "narration",
      "created_at",
    ],
    changes: { status: "its reversal voids it" },
    lines: {
      table: "journal_lines",
      paper: "entry_id",
      final: ["position", "account_id", "debit", "credit"],
    },
  },
  accounts: {
    kind: "account",
    final: ["code", "type", "parent_id", "party_type", "party_id", "system_key", "created_at"],
    changes: {
      name: "it is renamed",
      is_active: "it is switched off",
      deleted_at: "its customer is removed",
      updated_at: "with any of these",
    },
    deleted: "an account that was never used",
  },
};

/** The papers as the job that chains the audit log, and the self-check, read them. */
export const PAPERS: readonly Papers[] = Object.entries(PAPER_TABLES).map(([table, paper]) => ({
  kind: paper.kind,
  table,
  text: textOf(paper),
}));

function textOf({ final, erasable = {}, lines }: Paper): string {
  const cells = final.map((column) => erasable[column] ?? `these.${column}`);
  if (lines === undefined) return `json_array(${cells.join(", ")})`;
  const { table, paper, final: ofLine } = lines;
  const ordered = `SELECT json_array(${ofLine.join(", ")}) AS line FROM ${table} WHERE ${paper} = these.id ORDER BY position`;
  return `json_array(${cells.join(", ")}, (SELECT json_group_array(json(line)) FROM (${ordered})))`;
}
