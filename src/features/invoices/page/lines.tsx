import type { Invoice } from "../invoices/record.ts";
import { formatAmount, formatPrice, formatQuantity } from "./formats.ts";
import { type Column, Table, withNote } from "./table.tsx";
import { taxColumns } from "./taxes.tsx";

type Item = Invoice["items"][number];

/** What was sold, line by line. */
export function Lines({ invoice, taxed }: { invoice: Invoice; taxed: boolean }) {
  return (
    <section class="items">
      <Table columns={columns(invoice, taxed)} rows={invoice.items} />
    </section>
  );
}

function columns(invoice: Invoice, taxed: boolean): Column<Item>[] {
  const { currency } = invoice;
  const taxableValue: Column<Item> = {
    name: "Taxable value",
    cell: (item) => formatAmount(item.taxable_value, currency),
    total: formatAmount(invoice.taxable_total, currency),
  };
  return [
    { name: "#", cell: (_, index) => index + 1 },
    { name: "Item", kind: "words", cell: nameAndDescription, total: "Total" },
    { name: "HSN/SAC", cell: (item) => item.hsn_sac_code },
    { name: "Quantity", cell: (item) => withNote(formatQuantity(item.quantity), item.unit) },
    { name: "Rate", cell: (item) => priceAndDiscount(item, currency) },
    ...(taxed ? [taxableValue, ...taxColumns(invoice, true)] : []),
    {
      name: "Amount",
      cell: (item) => formatAmount(item.total, currency),
      total: formatAmount(invoice.total_amount - invoice.round_off, currency),
    },
  ];
}

function nameAndDescription({ item_name: name, description }: Item) {
  return (
    <>
      <strong>{name}</strong>
      {description && <small>{description}</small>}
    </>
  );
}

function priceAndDiscount({ unit_price: price, discount_amount: discount }: Item, currency: string) {
  return withNote(
    formatPrice(price, currency),
    discount > 0 && `less\u00a0${formatAmount(discount, currency)}`,
  );
}
