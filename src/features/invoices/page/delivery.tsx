import type { Invoice } from "../invoices/record.ts";
import { OwnText, PlaceLines } from "./parties.tsx";
import type { Words } from "./words/words.ts";

type Address = NonNullable<Invoice["customer"]["shipping_address"]>;

type Delivered = Pick<Invoice, "customer" | "currency">;

// Rule 46(e): from this taxable value on, an invoice to an unregistered buyer states the place of delivery.
const ALWAYS_FROM_RUPEES = 50_000;

/** Where the goods go, where that is another place than the buyer's, or has to be said for the taxable value invoiced. */
export function Recipient({ paper, invoiced, words }: { paper: Delivered; invoiced: number; words: Words }) {
  const to = deliveryOf(paper, invoiced);
  if (to === null) return null;
  const { name, phone, country } = to;
  return (
    <div>
      <h2>{words.deliverTo}</h2>
      <OwnText kind="name" text={name} />
      <PlaceLines place={to} words={words} />
      {country && country !== "IN" && <p>{words.country(country)}</p>}
      {phone && <p>{phone}</p>}
    </div>
  );
}

function deliveryOf({ customer, currency }: Delivered, invoiced: number): Address | null {
  const { billing_address: billing, shipping_address: shipping, name } = customer;
  const home: Address = { ...billing, name, phone: null };
  const to = shipping === null ? home : { ...shipping, name: shipping.name ?? name };
  const mustStand = customer.gstin === null && currency === "INR" && invoiced >= ALWAYS_FROM_RUPEES;
  return mustStand || differs(home, to) ? to : null;
}

/** A part that the delivery address leaves out counts as equal. */
function differs(home: Address, to: Address): boolean {
  const fields = ["name", "address", "city", "state", "pincode", "country"] as const;
  return fields.some((field) => to[field] !== null && simplified(to[field]) !== simplified(home[field]));
}

function simplified(text: string | null): string {
  return (text ?? "").toLowerCase().replace(/[\s,.]+/g, "");
}
