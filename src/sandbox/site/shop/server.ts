// The shop's own server. It alone knows the secret key, and decides what things cost; a browser does neither.
import { type Context, Hono } from "hono";
import { getSignedCookie, setSignedCookie } from "hono/cookie";

export type Settings = {
  /** The API's address with its version, `http://localhost:8787/v1`. */
  api: string;
  company: string;
  /** A secret key whose only scope is `storefront`. */
  key: { client_id: string; client_secret: string };
  /** Where the shop is, without a last slash. */
  shop: string;
  /** Stands in for Razorpay's Checkout, which a real shop opens in its own page with the options of `next_action`. */
  razorpayPage: string;
};

type CartLine = { product_id: number; quantity: number };
type NextAction =
  | { type: "redirect"; url: string }
  | { type: "razorpay_checkout"; options: { order_id: string } };
type Checkout = { order_id: number; next_action: NextAction | null };

// The catalogue's prices are rupees, so what is sold in another currency has its price here.
const GIFT_CARDS: Record<string, number> = { GBP: 20, USD: 25 };

/** The catalogue, the checkout and the state of the visitor's last order. */
export function shopServer({ api, company, key, shop, razorpayPage }: Settings): Hono {
  const storefront = (path: string, body?: object) =>
    fetch(`${api}/storefront/${company}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "X-Client-Id": key.client_id,
        "X-Client-Secret": key.client_secret,
        "Content-Type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
  const after = { return_url: `${shop}/?order=placed`, cancel_url: `${shop}/?order=unpaid` };
  const server = new Hono();

  server.get("/products", async (c) => relay(c, await storefront("/products?limit=100")));

  server.post("/checkout", async (c) => {
    const { customer, currency, cart } = await c.req.json();
    const price = GIFT_CARDS[currency];
    const items =
      price === undefined
        ? // Name and price are those of the catalogue, whatever stands here.
          (cart as CartLine[]).map(({ product_id, quantity }) => ({
            product_id,
            quantity,
            name: "-",
            unit_price: 1,
          }))
        : [{ name: "Gift card", quantity: 1, unit_price: price }];
    const order = { items, customer, currency, source_website: new URL(shop).host, ...after };
    const response = await storefront("/checkout", order);
    if (!response.ok) return relay(c, response);
    const checkout = (await response.json()) as Checkout;
    // The cookie, not an address, says whose order it is: no visitor can read another's by counting.
    await setSignedCookie(c, "order", String(checkout.order_id), key.client_secret, {
      httpOnly: true,
      sameSite: "Lax",
    });
    return c.json({ payment_page: paymentPage(checkout) });
  });

  server.get("/order", async (c) => {
    const id = await getSignedCookie(c, key.client_secret, "order");
    return id
      ? relay(c, await storefront(`/order/${id}`))
      : c.json({ message: "You have no order here." }, 404);
  });

  function paymentPage({ next_action: next }: Checkout): string | undefined {
    if (next?.type !== "razorpay_checkout") return next?.url;
    return `${razorpayPage}/${next.options.order_id}?${new URLSearchParams(after)}`;
  }
  return server;
}

async function relay(c: Context, response: Response): Promise<Response> {
  return c.body(await response.text(), response.status as 200, { "Content-Type": "application/json" });
}
