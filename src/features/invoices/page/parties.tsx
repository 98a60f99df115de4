import { stateName } from "#shared/states.ts";
import type { Invoice } from "../schema.ts";
import type { SellerContact } from "./find-by-token.ts";
import { formatDate } from "./formats.ts";

const countries = new Intl.DisplayNames("en-IN", { type: "region" });

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
  const { address, city, state, state_code: code, pincode, country } = customer.billing_address;
  return (
    <div>
      <h2>Bill to</h2>
      <p class="name">{customer.name}</p>
      {address && <p class="lines">{address}</p>}
      <p>{[city, pincode].filter(Boolean).join(" ")}</p>
      <p>{code === null ? state : stateWithCode(code)}</p>
      {country === "IN" ? (
        <p>GSTIN/UIN {customer.gstin ?? "unregistered"}</p>
      ) : (
        <p>{countries.of(country)}</p>
      )}
    </div>
  );
}

/** Number, dates and the like. */
export function Particulars({ invoice }: { invoice: Invoice }) {
  const { place_of_supply: place, reference_number: reference } = invoice;
  const particulars: [name: string, value: string | null][] = [
    ["Invoice number", invoice.invoice_number],
    ["Invoice date", formatDate(invoice.invoice_date)],
    ["Due date", formatDate(invoice.due_date)],
    ["Place of supply", place && `${place.name} (${place.code})`],
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
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function stateWithCode(code: string): string {
  return `${stateName(code) ?? "State"} (${code})`;
}
