import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatPrice, formatQuantity } from "./formats.ts";
import { type Column, Table, withNote } from "./table.tsx";
import { taxColumns } from "./taxes.tsx";
import { treatmentOf, valueLabel } from "./untaxed.ts";
import type { Words } from "./words/words.ts";

type Item = Invoice["items"][number];

/** What was sold, line by line. */
export function Lines({ invoice, words }: { invoice: Invoice; words: Words }) {
  return (
    <section class="items">
      <Table columns={columns(invoice, words)} rows={invoice.items} />
    </section>
  );
}

function columns(invoice: Invoice, words: Words): Column<Item>[] {
  const { currency, items } = invoice;
  const taxes = taxColumns(invoice, words, true);
  const taxableValue: Column<Item> = {
    name: valueLabel(invoice, words),
    cell: (item) => formatAmount(item.taxable_value, currency),
    total: formatAmount(invoice.taxable_total, currency),
  };
  const code: Column<Item> = { name: "HSN/SAC", cell: (item) => item.hsn_sac_code };
  return [
    { name: "#", cell: (_, index) => index + 1 },
    {
      name: words.item,
      kind: "words",
      cell: (item) => nameAndDescription(item, treatmentOf(invoice, item, words)),
      total: words.total,
    },
    ...(invoice.seller.country === "IN" || items.some((item) => item.hsn_sac_code !== null) ? [code] : []),
    { name: words.quantity, cell: (item) => withNote(formatQuantity(item.quantity), item.unit) },
    { name: words.rate, cell: (item) => priceAndDiscount(item, currency, words) },
    ...(taxes.length > 0 ? [taxableValue, ...taxes] : []),
    {
      name: words.amount,
      cell: (item) => formatAmount(item.total, currency),
      total: formatAmount(invoice.total_amount - invoice.round_off, currency),
    },
  ];
}

/** What a line is of. */
function nameAndDescription(
  { item_name: name, description }: Pick<Item, "item_name" | "description">,
  treatment: string | false,
) {
  return (
    <>
      <strong dir="auto">{name}</strong>
      {description && <small dir="auto">{description}</small>}
      {treatment && <small>{treatment}</small>}
    </>
  );
}

function priceAndDiscount(
  { unit_price: price, discount_amount: discount }: Item,
  currency: string,
  { less }: Words,
) {
  return withNote(
    formatPrice(price, currency),
    discount > 0 && `${less}\u00a0${formatAmount(discount, currency)}`,
  );
}
