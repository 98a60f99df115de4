import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatMoney } from "./formats.ts";
import { taxesOf } from "./taxes.tsx";

/** From the sum of the lines to what is due. */
export function Totals({ invoice, taxed }: { invoice: Invoice; taxed: boolean }) {
  const { currency, discount_total: discount, round_off: roundOff, tds_amount: withheld } = invoice;
  const discounted = discount > 0;
  return (
    <dl class="totals">
      {discounted && <Entry name="Sub-total" value={formatAmount(invoice.sub_total, currency)} />}
      {discounted && <Entry name="Discount" value={formatAmount(-discount, currency)} />}
      {taxed && <Entry name="Taxable value" value={formatAmount(invoice.taxable_total, currency)} />}
      {taxed &&
        taxesOf(invoice).map((tax) => <Entry name={tax.label} value={formatAmount(tax.total, currency)} />)}
      {roundOff !== 0 && <Entry name="Round-off" value={formatAmount(roundOff, currency)} />}
      <Entry name="Total" value={formatMoney(invoice.total_amount, currency)} sum />
      {invoice.amount_paid > 0 && <Entry name="Paid" value={formatAmount(-invoice.amount_paid, currency)} />}
      {withheld > 0 && <Entry name="TDS deducted" value={formatAmount(-withheld, currency)} />}
      <Entry name="Amount due" value={formatMoney(invoice.amount_due, currency)} sum />
    </dl>
  );
}

function Entry({ name, value, sum }: { name: string; value: string; sum?: true }) {
  return (
    <div class={sum && "sum"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
