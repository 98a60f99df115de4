import { moneyToWire } from "#shared/fields/numbers.ts";
import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatMoney } from "./formats.ts";
import type { MoneyOfNotes } from "./money-of-notes.ts";
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
  money,
  words,
}: {
  invoice: Invoice;
  notes: readonly string[];
  money: MoneyOfNotes;
  words: Words;
}) {
  const { currency, discount_total: discount, round_off: roundOff, tds_amount: withheld } = invoice;
  const taxes = taxesOf(invoice, words);
  const untaxed = untaxedValue(invoice);
  // Nothing less is no negative zero.
  const row = (name: string, amount: number) => ({ name, value: formatAmount(amount || 0, currency) });
  const sum = (name: string, amount: number) => ({ name, value: formatMoney(amount, currency), sum: true });
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
    ...creditRows(),
    sum(words.amountDue, invoice.amount_due),
  ];
  return <Sums rows={rows} />;

  /** What was credited and what went back, so that a customer can add them up to what is due. */
  function creditRows(): Sum[] {
    const wentBack = invoice.refunded_without_credit_note;
    const own = moneyToWire(money.credited);
    const ofOthers = invoice.amount_credited - moneyToWire(money.appliedHere);
    const line = (name: string, minor: number) => minor > 0 && row(name, moneyToWire(minor));
    return [
      notes.length > 0 && row(`${words.credited} (${notes.join(", ")})`, -own),
      ofOthers > 0 && row(words.creditedByOthers, -ofOthers),
      line(words.paidBack, money.refunded + money.paidOut),
      line(words.onItsWayBack, money.onItsWay),
      line(words.takenByBank, money.charged),
      line(words.usedElsewhere, money.applied - money.appliedHere),
      line(words.creditLeft, money.unused),
      wentBack > 0 && row(words.returned, wentBack),
      wentBack > 0 && row(words.inReview, -wentBack),
    ];
  }
}
