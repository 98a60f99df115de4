import type { Api, Data, Key } from "../api.ts";
import { StartError } from "../configuration.ts";
import { createAll, unitOf } from "./create-all.ts";
import { GOODS, type Good } from "./demo-data.ts";
import { connectGateways } from "./demo-gateways.ts";

type Placed = { payment_data: { gateway_order_id: string } };

type Shelved = [Good, name: string, description: string, selling_price: number, opening_stock: number];

/** What the shop sells; prices are rupees, GST in them. */
const SHELF: readonly Shelved[] = [
  ["coffee", "Filter coffee, 500 g", "Arabica and a little chicory, roasted in Mysuru.", 420, 60],
  ["tea", "Assam tea, 250 g", "Second flush, strong enough for milk.", 210, 80],
  ["mug", "Ceramic mug", "Stoneware, 300 ml, glazed by hand.", 249, 40],
  ["notebook", "Exercise notebook", "172 ruled pages, sewn to lie flat.", 55, 500],
  ["pen", "Gel pens, box of 20", "Blue, 0.5 mm, refillable.", 224, 120],
  ["lamp", "LED desk lamp", "Three tones of white, dims to a night light.", 1_061.99, 15],
  ["chair", "Office chair", "Mesh back, adjustable arms, five-year guarantee.", 8_791, 3],
  ["desk", "Standing desk", "120 by 70 cm, raised by hand crank.", 22_408, 0],
];

/** Which gateway takes which currency, so that each can be reached from the shop. */
const CURRENCIES = { razorpay: ["INR"], stripe: ["GBP", "EUR"], paypal: ["USD"] };

/** What one buyer pays twice: `POST /refunds` has money to send, as its example does. */
const ORDER = {
  items: [{ name: "Desk organiser", quantity: 1, unit_price: 300 }],
  tax_amount: 54,
  currency: "INR",
  source_website: "shop.example.com",
  customer: { name: "Nandi Hills Cafe", email: "hello@nandi-cafe.example", state: "Karnataka" },
  return_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/basket",
};

/**
 * Fills the shop of a company, connects its gateways, sells something that is paid twice at `gateways`, and gives the key
 * that the shop's server signs with.
 */
export async function openShop(platform: Api, api: Api, slug: string, gateways: string): Promise<Key> {
  const same = { unit_id: await unitOf(api, slug, "NOS"), price_includes_tax: true, track_stock: true };
  // A catalogue shows the newest first.
  const products = SHELF.toReversed().map(([good, name, description, selling_price, opening_stock], at) => {
    const { hsn_sac_code, tax_rate } = GOODS[good];
    const sold = { name, description, selling_price, hsn_sac_code, tax_rate, opening_stock };
    return { ...sold, ...same, sku: `SHOP-${at + 1}` };
  });
  await createAll(api, `/products/${slug}`, "product", products);
  await connectGateways(api, slug, CURRENCIES);
  const key = { name: "Shop", type: "secret", scopes: ["storefront"] };
  const { data } = await api.create<Data<Key>>(`/settings/${slug}/keys`, "demo-shop", key);
  await sellAndPayTwice(platform.signedBy(data), slug, gateways);
  return { client_id: data.client_id, client_secret: data.client_secret };
}

async function sellAndPayTwice(shop: Api, slug: string, gateways: string): Promise<void> {
  const path = `/storefront/${slug}/checkout`;
  const { payment_data: payment } = await shop.create<Placed>(path, "demo-order", ORDER);
  const answer = await fetch(`${gateways}/pay/razorpay/${payment.gateway_order_id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ outcome: "twice" }),
  });
  if (!answer.ok) throw new StartError(`The demo's order could not be paid: ${await answer.text()}`);
}
