import { NamedValues } from "#api/page-parts/named-values.tsx";
import type { Language } from "#shared/text/language.ts";
import { type Invoice, invoice as record } from "../invoices/record.ts";
import { Recipient } from "./delivery.tsx";
import type { HostedInvoice } from "./find-by-token.ts";
import { formatMoney } from "./formats.ts";
import { Lines } from "./lines.tsx";
import { End, renderPaper } from "./paper.tsx";
import { Buyer, invoiceParticulars, Seller } from "./parties.tsx";
import { Payment } from "./payment.tsx";
import { TaxSummary } from "./taxes.tsx";
import { Totals } from "./totals.tsx";
import { WORDS, type Words } from "./words/words.ts";

const paper = record.omit("hosted_url", "inr");

/** The invoice as a page, with the particulars of CGST Rules 46, 46A and 49. */
export function renderInvoicePage(
  { row, contact, payPath, holdsMoney, moneyOfNotes }: HostedInvoice,
  language: Language,
): string | Promise<string> {
  const invoice = { ...paper.render(row.invoice, { asOf: row.as_of }), hosted_url: null, inr: null };
  const { seller, customer, notes, terms, invoice_number: number } = invoice;
  const words = WORDS[language];
  const kind = words.titles[invoice.document_type];
  const children = (
    <>
      <header>
        <Seller seller={seller} contact={contact} words={words} />
        <div class="title">
          <h1>{kind}</h1>
          {seller.country === "IN" && <p class="quiet">{words.original}</p>}
          <Stamp invoice={invoice} words={words} />
        </div>
      </header>
      {holdsMoney && <p class="endorsement">{words.held(invoice.amount_due > 0, seller.legal_name)}</p>}
      {row.invoice.refunded_without_credit_note > 0 && (
        <p class="endorsement">
          {words.wentBack(
            formatMoney(invoice.refunded_without_credit_note, invoice.currency),
            seller.legal_name,
          )}
        </p>
      )}
      {/* CGST Rule 5(1)(f). */}
      {seller.gst_status === "composition" && (
        <AsTheLawSays words={words} said={(endorsements) => endorsements.composition} />
      )}
      <section class="parties">
        <Buyer seller={seller} customer={customer} words={words} />
        <Recipient paper={invoice} invoiced={invoice.taxable_total} words={words} />
        <NamedValues kind="particulars" rows={invoiceParticulars(invoice, words)} />
      </section>
      <Lines invoice={invoice} words={words} />
      <section class="sums">
        <div class="aside">
          <h2>{words.inWords}</h2>
          <p>{words.amountInWords(row.invoice.total_amount, invoice.currency)}</p>
          <Endorsement invoice={invoice} words={words} />
          {!holdsMoney && (
            <Payment
              invoice={invoice}
              contact={contact}
              payPath={payPath}
              language={language}
              words={words}
            />
          )}
        </div>
        <Totals
          invoice={invoice}
          notes={row.invoice.credit_note_numbers}
          money={moneyOfNotes}
          words={words}
        />
      </section>
      <TaxSummary paper={invoice} words={words} />
      <End seller={seller} notes={notes} terms={terms} words={words} />
    </>
  );
  return renderPaper({ language, words, kind, number, seller, children });
}

function Stamp({ invoice, words }: { invoice: Invoice; words: Words }) {
  const isCredited = invoice.credit_status === "full" && invoice.amount_due === 0;
  const isInReview = invoice.refunded_without_credit_note > 0;
  const settled = isInReview ? "review" : isCredited ? "credited" : invoice.payment_status;
  const status = invoice.is_overdue ? "overdue" : settled;
  return <p class={`stamp ${status}`}>{words.stamps[status]}</p>;
}

/** What Rule 46 wants said on an invoice for export, or to a special economic zone. */
function Endorsement({ invoice, words }: { invoice: Invoice; words: Words }) {
  const { supply_type: supply, zero_rated: rated, document_type: type, seller } = invoice;
  if (rated === null || type !== "tax_invoice") return null;
  const letter = rated === "without_payment" && seller.lut_number !== null && ` (LUT ${seller.lut_number})`;
  const said = ({ export: abroad, zone, withPayment, withoutPayment }: Words["endorsements"]) =>
    `${supply === "export" ? abroad : zone} ${rated === "with_payment" ? withPayment : withoutPayment}${letter || ""}`;
  return <AsTheLawSays words={words} said={said} />;
}

/** What the law wants said: in the page's language, and in the words of the law. */
function AsTheLawSays({ words, said }: { words: Words; said: (words: Words["endorsements"]) => string }) {
  return (
    <>
      <p class="endorsement">{said(words.endorsements)}</p>
      {words !== WORDS.en && (
        <p class="endorsement" lang="en">
          {said(WORDS.en.endorsements)}
        </p>
      )}
    </>
  );
}
