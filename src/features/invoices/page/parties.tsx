import { countryName } from "#shared/places/countries.ts";
import { stateName } from "#shared/places/states.ts";
import type { Invoice } from "../invoices/record.ts";
import type { SellerContact } from "./find-by-token.ts";
import { formatDate } from "./formats.ts";

/** Who sells. */
export function Seller({ seller, contact }: { seller: Invoice["seller"]; contact: SellerContact }) {
  return (
    <div>
      <p class="name">{seller.legal_name}</p>
      {seller.address && <p class="lines">{seller.address}</p>}
      {seller.state_code && <p>{stateWithCode(seller.state_code)}</p>}
      {seller.gstin && <p>GSTIN {seller.gstin}</p>}
      {contact.phone && <p>{contact.phone}</p>}
      {contact.email && <p>{contact.email}</p>}
    </div>
  );
}

/** Who buys. */
export function Buyer({ invoice: { customer } }: { invoice: Invoice }) {
  const {
    address,
    city,
    state,
    state_code: code,
    pincode,
    country,
    country_text: text,
  } = customer.billing_address;
  const isIndian = country === "IN";
  return (
    <div>
      <h2>Bill to</h2>
      <p class="name">{customer.name}</p>
      {customer.company_name && <p>{customer.company_name}</p>}
      {address && <p class="lines">{address}</p>}
      <p>{[city, pincode].filter(Boolean).join(" ")}</p>
      <p>{code === null ? state : stateWithCode(code)}</p>
      {text !== null && <p>{text}</p>}
      {isIndian ? (
        <p>GSTIN/UIN {customer.gstin ?? "unregistered"}</p>
      ) : (
        text === null && <p>{countryName(country)}</p>
      )}
    </div>
  );
}

// A number that breaks at its slashes cannot be read out or copied.
const NUMBER = "Invoice number";

/** Number, dates and the like. */
export function Particulars({ invoice }: { invoice: Invoice }) {
  const { place_of_supply: place, reference_number: reference } = invoice;
  const particulars: [name: string, value: string | null][] = [
    [NUMBER, invoice.invoice_number],
    ["Invoice date", formatDate(invoice.invoice_date)],
    ["Due date", formatDate(invoice.due_date)],
    ["Place of supply", place && `${place.name} (${place.code})`],
    ["Country of destination", invoice.supply_type === "export" ? destination(invoice) : null],
    ["Reverse charge", "No"],
    ["Reference", reference],
  ];
  return (
    <dl class="particulars">
      {particulars.map(
        ([name, value]) =>
          value && (
            <div>
              <dt>{name}</dt>
              <dd class={name === NUMBER ? "number" : undefined}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function destination({ customer }: Invoice): string {
  return countryName(customer.shipping_address?.country ?? customer.billing_address.country);
}

/** A state as papers name it: `Karnataka (29)`. */
export function stateWithCode(code: string): string {
  return `${stateName(code) ?? "State"} (${code})`;
}
