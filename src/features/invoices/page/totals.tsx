import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatMoney } from "./formats.ts";
import { taxesOf } from "./taxes.tsx";
import { untaxedValue } from "./untaxed.ts";
import type { Words } from "./words/words.ts";

/** A row of the sums; `sum` marks what is added up. */
export type Sum = { name: string; value: string; sum?: boolean } | false;

/** Sums from top to bottom; those that are false are left out. */
export function Sums({ rows }: { rows: readonly Sum[] }) {
  return (
    <dl class="totals">
      {rows.map(
        (row) =>
          row && (
            <div class={row.sum ? "sum" : undefined}>
              <dt>{row.name}</dt>
              <dd>{row.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** From the sum of the lines to what is due. */
export function Totals({
  invoice,
  notes,
  words,
}: {
  invoice: Invoice;
  notes: readonly string[];
  words: Words;
}) {
  const { currency, discount_total: discount, round_off: roundOff, tds_amount: withheld } = invoice;
  const taxes = taxesOf(invoice, words);
  const untaxed = untaxedValue(invoice);
  // Nothing less is no negative zero.
  const row = (name: string, amount: number) => ({ name, value: formatAmount(amount || 0, currency) });
  const sum = (name: string, amount: number) => ({ name, value: formatMoney(amount, currency), sum: true });
  const credited = notes.length === 0 ? words.credited : `${words.credited} (${notes.join(", ")})`;
  const rows: Sum[] = [
    discount > 0 && row(words.subTotal, invoice.sub_total),
    discount > 0 && row(words.discount, -discount),
    taxes.length > 0 && row(words.taxableValue, invoice.taxable_total - untaxed),
    taxes.length > 0 && untaxed > 0 && row(words.untaxedValue, untaxed),
    ...taxes.map((tax) => row(tax.label, tax.total)),
    roundOff !== 0 && row(words.roundOff, roundOff),
    sum(words.total, invoice.total_amount),
    invoice.amount_paid > 0 && row(words.paid, -invoice.amount_paid),
    withheld > 0 && row(words.withheld, -withheld),
    (invoice.amount_credited > 0 || notes.length > 0) && row(credited, -invoice.amount_credited),
    sum(words.amountDue, invoice.amount_due),
  ];
  return <Sums rows={rows} />;
}
