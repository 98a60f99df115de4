import type { Api, Data, Key } from "../api.ts";
import { StartError } from "../configuration.ts";
import { createAll, unitOf } from "./create-all.ts";
import { GOODS, type Good } from "./demo-data.ts";
import { connectGateways } from "./demo-gateways.ts";

type Placed = { payment_data: { gateway_order_id: string } };

/** What the shop sells; prices are rupees, GST in them. */
const SHELF = [
  {
    ...taxOf("coffee"),
    name: "Filter coffee, 500 g",
    description: "Arabica and a little chicory, roasted in Mysuru.",
    selling_price: 420,
    opening_stock: 60,
  },
  {
    ...taxOf("tea"),
    name: "Assam tea, 250 g",
    description: "Second flush, strong enough for milk.",
    selling_price: 210,
    opening_stock: 80,
  },
  {
    ...taxOf("mug"),
    name: "Ceramic mug",
    description: "Stoneware, 300 ml, glazed by hand.",
    selling_price: 249,
    opening_stock: 40,
  },
  {
    ...taxOf("notebook"),
    name: "Exercise notebook",
    description: "172 ruled pages, sewn to lie flat.",
    selling_price: 55,
    opening_stock: 500,
  },
  {
    ...taxOf("pen"),
    name: "Gel pens, box of 20",
    description: "Blue, 0.5 mm, refillable.",
    selling_price: 224,
    opening_stock: 120,
  },
  {
    ...taxOf("lamp"),
    name: "LED desk lamp",
    description: "Three tones of white, dims to a night light.",
    selling_price: 1_061.99,
    opening_stock: 15,
  },
  {
    ...taxOf("chair"),
    name: "Office chair",
    description: "Mesh back, adjustable arms, five-year guarantee.",
    selling_price: 8_791,
    opening_stock: 3,
  },
  {
    ...taxOf("desk"),
    name: "Standing desk",
    description: "120 by 70 cm, raised by hand crank.",
    selling_price: 22_408,
    opening_stock: 0,
  },
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
  const products = SHELF.toReversed().map((product, at) => ({ ...product, ...same, sku: `SHOP-${at + 1}` }));
  await createAll(api, `/products/${slug}`, "product", products);
  await connectGateways(api, slug, CURRENCIES);
  const key = { name: "Shop", type: "secret", scopes: ["storefront"] };
  const { data } = await api.create<Data<Key>>(`/settings/${slug}/keys`, "demo-shop", key);
  await sellAndPayTwice(platform.signedBy(data), slug, gateways);
  return { client_id: data.client_id, client_secret: data.client_secret };
}

function taxOf(good: Good) {
  const { hsn_sac_code, tax_rate } = GOODS[good];
  return { hsn_sac_code, tax_rate };
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
