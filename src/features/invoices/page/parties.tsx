import type { NamedValue } from "#api/page-parts/named-values.tsx";
import { parseGstin } from "#shared/gst/gstin.ts";
import type { Invoice } from "../invoices/record.ts";
import type { SellerContact } from "./find-by-token.ts";
import type { Words } from "./words/words.ts";

type Place = Record<"address" | "city" | "state" | "state_code" | "pincode", string | null>;
type Party = { seller: Invoice["seller"]; words: Words };

/** Who sells. */
export function Seller({ seller, contact, words }: Party & { contact: SellerContact }) {
  const pan = seller.gstin === null ? null : parseGstin(seller.gstin)?.pan;
  return (
    <div>
      {contact.logo && <img class="logo" src={contact.logo} alt="" />}
      <OwnText kind="name" text={seller.legal_name} />
      <OwnText kind="lines" text={seller.address} />
      {seller.state_code && <p>{stateWithCode(seller.state_code, words)}</p>}
      {seller.country !== "IN" && <p>{words.country(seller.country)}</p>}
      {seller.gstin && <p>GSTIN {seller.gstin}</p>}
      {pan && <p>PAN {pan}</p>}
      {seller.tax_number && (
        <p>
          {seller.tax_number_label ?? words.taxNumber} {seller.tax_number}
        </p>
      )}
      {contact.phone && <p>{contact.phone}</p>}
      {contact.email && <p>{contact.email}</p>}
    </div>
  );
}

/** Who buys. */
export function Buyer({ seller, customer, words }: Party & { customer: Invoice["customer"] }) {
  const { country, country_text: text } = customer.billing_address;
  // A seller outside India asks for no GSTIN.
  const hasGstin = country === "IN" && seller.country === "IN";
  return (
    <div>
      <h2>{words.billTo}</h2>
      <OwnText kind="name" text={customer.name} />
      <OwnText text={customer.company_name} />
      <PlaceLines place={customer.billing_address} words={words} />
      <OwnText text={text} />
      {hasGstin ? (
        <p>GSTIN/UIN {customer.gstin ?? words.unregistered}</p>
      ) : (
        text === null && country !== seller.country && <p>{words.country(country)}</p>
      )}
    </div>
  );
}

/** What a person typed, in the direction of its letters; nothing where nothing was. */
export function OwnText({ kind, text }: { kind?: "name" | "lines"; text: string | null }) {
  if (!text) return null;
  return (
    <p class={kind} dir="auto">
      {text}
    </p>
  );
}

/** An address but for its country. */
export function PlaceLines({ place, words }: { place: Place; words: Words }) {
  const { address, city, state, state_code: code, pincode } = place;
  return (
    <>
      <OwnText kind="lines" text={address} />
      <OwnText text={[city, pincode].filter(Boolean).join(" ")} />
      <OwnText text={code === null ? state : stateWithCode(code, words)} />
    </>
  );
}

/** Number, dates and the like of an invoice. */
export function invoiceParticulars(invoice: Invoice, words: Words): NamedValue[] {
  const { place_of_supply: place, document_type: type, seller } = invoice;
  const isIndian = seller.country === "IN";
  return [
    [words.number, invoice.invoice_number, "number"],
    [words.date, words.day(invoice.invoice_date)],
    [words.dueDate, words.day(invoice.due_date)],
    [words.placeOfSupply, place && stateWithCode(place.code, words)],
    [words.destination, invoice.supply_type === "export" ? destination(invoice, words) : null],
    [words.reverseCharge, isIndian && type !== "invoice" ? words.no : null],
    [words.reference, invoice.reference_number],
  ];
}

function destination({ customer }: Invoice, words: Words): string {
  return words.country(customer.shipping_address?.country ?? customer.billing_address.country);
}

/** A state as papers name it: `Karnataka (29)`. */
export function stateWithCode(code: string, words: Words): string {
  return `${words.state(code)} (${code})`;
}
