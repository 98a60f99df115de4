import { html, raw } from "hono/html";
import { type Invoice, invoice as record } from "../invoices/record.ts";
import { amountInWords } from "./amount-in-words.ts";
import { Recipient } from "./delivery.tsx";
import type { HostedInvoice, SellerContact } from "./find-by-token.ts";
import { Lines } from "./lines.tsx";
import { Buyer, Particulars, Seller } from "./parties.tsx";
import { Payment } from "./payment.tsx";
import { STYLE } from "./style.ts";
import { TaxSummary } from "./taxes.tsx";
import { Totals } from "./totals.tsx";

const STAMPS = { paid: "Paid", partial: "Partially paid", unpaid: "Due", overdue: "Overdue" };

const paper = record.omit("hosted_url");

/** The invoice as a page to read on a screen and to print on A4, with the particulars of CGST Rule 46. */
export function renderInvoicePage({ row, contact }: HostedInvoice): string | Promise<string> {
  const words = amountInWords(row.invoice.total_amount, row.invoice.currency);
  const invoice = { ...paper.render(row.invoice, { asOf: row.as_of }), hosted_url: null };
  const page = <InvoicePage invoice={invoice} words={words} contact={contact} />;
  return html`<!DOCTYPE html>${page}`;
}

type Parts = { invoice: Invoice; words: string; contact: SellerContact };

// No logo: the page loads nothing from elsewhere, so that no third party learns who opens an invoice.
function InvoicePage({ invoice, words, contact }: Parts) {
  const { seller, notes, terms } = invoice;
  const taxed = seller.gstin !== null || invoice.tax_total > 0;
  // A CSS string, which the page footer prints; an invoice number has neither quotes nor backslashes.
  const footer = `--footer: "Invoice ${invoice.invoice_number}"`;
  return (
    <html lang="en-IN" style={footer}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`Invoice ${invoice.invoice_number} from ${seller.legal_name}`}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <main>
          <header>
            <Seller seller={seller} contact={contact} />
            <div class="title">
              <h1>{seller.gstin === null ? "Invoice" : "Tax invoice"}</h1>
              <p class="quiet">Original for recipient</p>
              <Stamp invoice={invoice} />
            </div>
          </header>
          <section class="parties">
            <Buyer invoice={invoice} />
            <Recipient invoice={invoice} />
            <Particulars invoice={invoice} />
          </section>
          <Lines invoice={invoice} taxed={taxed} />
          <section class="sums">
            <div class="aside">
              <h2>Total in words</h2>
              <p>{words}</p>
              {seller.gstin !== null && <Endorsement invoice={invoice} />}
              <Payment invoice={invoice} upiId={contact.upiId} />
            </div>
            <Totals invoice={invoice} taxed={taxed} />
          </section>
          {taxed && <TaxSummary invoice={invoice} />}
          {notes && <Paragraph title="Notes" text={notes} />}
          {terms && <Paragraph title="Terms" text={terms} />}
          <section class="signature">
            <p>For {seller.legal_name}</p>
            <p>Authorised signatory</p>
          </section>
        </main>
      </body>
    </html>
  );
}

function Stamp({ invoice }: { invoice: Invoice }) {
  const status = invoice.is_overdue ? "overdue" : invoice.payment_status;
  return <p class={`stamp ${status}`}>{STAMPS[status]}</p>;
}

/** What Rule 46 wants said on an invoice for export, or to a special economic zone. */
function Endorsement({ invoice: { supply_type: supply, zero_rated: rated, seller } }: { invoice: Invoice }) {
  if (rated === null) return null;
  return (
    <p class="endorsement">
      {supply === "export"
        ? "Supply meant for export "
        : "Supply to SEZ unit or SEZ developer for authorised operations "}
      {rated === "with_payment" && "on payment of integrated tax"}
      {rated === "without_payment" && untaxedBy(seller.lut_number)}
    </p>
  );
}

function untaxedBy(letter: string | null): string {
  const words = "without payment of integrated tax";
  return letter === null ? words : `under bond or letter of undertaking ${words} (LUT ${letter})`;
}

function Paragraph({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h2>{title}</h2>
      <p class="lines">{text}</p>
    </section>
  );
}
