import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import { type CreditNote, creditNote as record } from "#features/credit-notes";
import { moneyToWire } from "#shared/fields/numbers.ts";
import type { Language } from "#shared/text/language.ts";
import { Recipient } from "./delivery.tsx";
import type { HostedCreditNote } from "./find-credit-note.ts";
import { formatAmount, formatMoney, formatQuantity, formatRate } from "./formats.ts";
import { End, renderPaper } from "./paper.tsx";
import { Buyer, Seller, stateWithCode } from "./parties.tsx";
import { type Column, Table, withNote } from "./table.tsx";
import { type Taxed, taxColumns, taxesOf } from "./taxes.tsx";
import { type Sum, Sums } from "./totals.tsx";
import { WORDS, type Words } from "./words/words.ts";

type Paper = Omit<CreditNote, "hosted_url"> & Taxed;
type Item = Paper["items"][number];

const paper = record.omit("hosted_url");

/** The credit note as a page to read on a screen and to print on A4, with the particulars of CGST Rule 53(1A). */
export function renderCreditNotePage(
  { row, contact }: HostedCreditNote,
  language: Language,
): string | Promise<string> {
  const { document_type: type } = row.invoice;
  const note: Paper = { ...paper.render(row), document_type: type, tax_breakup: [] };
  const { seller, customer, currency, credit_note_number: number } = note;
  const words = WORDS[language];
  const kind = kindOf(note, words);
  const children = (
    <>
      <header>
        <Seller seller={seller} contact={contact} words={words} />
        <div class="title">
          <h1>{kind}</h1>
          {seller.country === "IN" && <p class="quiet">{words.original}</p>}
        </div>
      </header>
      <section class="parties">
        <Buyer seller={seller} customer={customer} words={words} />
        <Recipient paper={note} invoiced={moneyToWire(row.invoice_taxable)} words={words} />
        <NamedValues kind="particulars" rows={particulars(note, words)} />
      </section>
      <section class="items">
        <Table columns={columns(note, words)} rows={note.items} />
      </section>
      <section class="sums">
        <div class="aside">
          <h2>{words.inWords}</h2>
          <p>{words.amountInWords(row.total_amount, currency)}</p>
          {!note.with_tax && <p>{words.valueOnly}</p>}
          {!note.with_tax && seller.country === "IN" && <p>{words.notOfSection34}</p>}
        </div>
        <Sums rows={sums(note, words)} />
      </section>
      <End seller={seller} words={words} />
    </>
  );
  return renderPaper({ language, words, kind, number, seller, children });
}

/** What the note is called: by the law of the sale's tax only where it takes back some. */
function kindOf({ with_tax: withTax, seller, document_type: type }: Paper, words: Words): string {
  if (!withTax) return words.commercialNote;
  // What Australian law calls the credit note of a taxed sale.
  return seller.country === "AU" && type === "tax_invoice" ? words.adjustmentNote : words.creditNote;
}

function particulars(note: Paper, words: Words): NamedValue[] {
  const { place_of_supply: place, reason, reason_text: text } = note;
  const why = words.reasons[reason];
  return [
    [words.noteNumber, note.credit_note_number, "number"],
    [words.noteDate, words.day(note.note_date)],
    [words.ofInvoice, note.invoice_number, "number"],
    [words.date, words.day(note.invoice_date)],
    [words.placeOfSupply, place && stateWithCode(place.code, words)],
    [words.reason, text === null ? why : `${why}: ${text}`],
  ];
}

function columns(note: Paper, words: Words): Column<Item>[] {
  const { currency } = note;
  const taxes = taxColumns(note, words, false);
  const code: Column<Item> = { name: "HSN/SAC", cell: (item) => item.hsn_sac_code };
  const rate: Column<Item> = { name: words.taxRate, cell: (item) => formatRate(item.tax_rate) };
  const taxableValue: Column<Item> = {
    name: words.taxableValue,
    cell: (item) => formatAmount(item.taxable_value, currency),
    total: formatAmount(note.taxable_total, currency),
  };
  return [
    { name: "#", cell: (_, index) => index + 1 },
    {
      name: words.item,
      kind: "words",
      cell: (item) => <strong dir="auto">{item.item_name}</strong>,
      total: words.total,
    },
    ...(note.items.some((item) => item.hsn_sac_code !== null) ? [code] : []),
    {
      name: words.quantity,
      cell: (item) => (item.quantity === null ? "–" : withNote(formatQuantity(item.quantity), item.unit)),
    },
    ...(taxes.length > 0 ? [taxableValue, rate, ...taxes] : []),
    {
      name: words.amount,
      cell: (item) => formatAmount(item.total, currency),
      total: formatAmount(note.total_amount - note.round_off, currency),
    },
  ];
}

function sums(note: Paper, words: Words): Sum[] {
  const { currency, round_off: roundOff } = note;
  const row = (name: string, amount: number) => ({ name, value: formatAmount(amount, currency) });
  const taxes = taxesOf(note, words);
  return [
    taxes.length > 0 && row(words.taxableValue, note.taxable_total),
    ...taxes.map((tax) => row(tax.label, tax.total)),
    roundOff !== 0 && row(words.roundOff, roundOff),
    { name: words.totalCredited, value: formatMoney(note.total_amount, currency), sum: true },
  ];
}
