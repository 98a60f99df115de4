import type { Api, Data, Key } from "../api.ts";
import { StartError } from "../configuration.ts";
import { connectGateways } from "./demo-gateways.ts";

type Placed = { payment_data: { gateway_order_id: string } };

/** What the shop sells; prices are rupees, GST in them. */
const SHELF = [
  {
    name: "Filter coffee, 500 g",
    description: "Arabica and a little chicory, roasted in Mysuru.",
    hsn_sac_code: "0901",
    selling_price: 420,
    tax_rate: 5,
    opening_stock: 60,
  },
  {
    name: "Assam tea, 250 g",
    description: "Second flush, strong enough for milk.",
    hsn_sac_code: "0902",
    selling_price: 210,
    tax_rate: 5,
    opening_stock: 80,
  },
  {
    name: "Ceramic mug",
    description: "Stoneware, 300 ml, glazed by hand.",
    hsn_sac_code: "6912",
    selling_price: 249,
    tax_rate: 5,
    opening_stock: 40,
  },
  {
    name: "Exercise notebook",
    description: "172 ruled pages, sewn to lie flat.",
    hsn_sac_code: "4820",
    selling_price: 55,
    tax_rate: 0,
    opening_stock: 500,
  },
  {
    name: "Gel pens, box of 20",
    description: "Blue, 0.5 mm, refillable.",
    hsn_sac_code: "9608",
    selling_price: 224,
    tax_rate: 18,
    opening_stock: 120,
  },
  {
    name: "LED desk lamp",
    description: "Three tones of white, dims to a night light.",
    hsn_sac_code: "9405",
    selling_price: 1_061.99,
    tax_rate: 18,
    opening_stock: 15,
  },
  {
    name: "Office chair",
    description: "Mesh back, adjustable arms, five-year guarantee.",
    hsn_sac_code: "9401",
    selling_price: 8_791,
    tax_rate: 18,
    opening_stock: 3,
  },
  {
    name: "Standing desk",
    description: "120 by 70 cm, raised by hand crank.",
    hsn_sac_code: "9403",
    selling_price: 22_408,
    tax_rate: 18,
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
  const { data: units } = await api.get<Data<{ id: string; code: string }[]>>(`/products/${slug}/units`);
  const piece = units.find(({ code }) => code === "NOS");
  // A catalogue shows the newest first.
  for (const [index, product] of SHELF.toReversed().entries()) {
    await api.create(`/products/${slug}`, `demo-product-${index + 1}`, {
      ...product,
      sku: `SHOP-${index + 1}`,
      unit_id: piece?.id,
      price_includes_tax: true,
      track_stock: true,
    });
  }
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
