// The shop's own server. It alone knows the secret key, and decides what things cost; a browser does neither.
// In a project of your own, `#client` is the package `company-operations-client`.

import { Hono } from "hono";
import { getSignedCookie, setSignedCookie } from "hono/cookie";
import { ApiError, type components, createCompanyClient } from "#client";

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
type Checkout = components["schemas"]["CheckoutResult"];

// The catalogue's prices are rupees, so what is sold in another currency has its price here.
const GIFT_CARDS: Record<string, number> = { GBP: 20, USD: 25 };

/** The catalogue, the checkout and the state of the visitor's last order. */
export function shopServer({ api, company, key, shop, razorpayPage }: Settings): Hono {
  const client = createCompanyClient({
    baseUrl: api,
    clientId: key.client_id,
    clientSecret: key.client_secret,
    timeLimit: 15_000,
  });
  const path = { company };
  const after = { return_url: `${shop}/?order=placed`, cancel_url: `${shop}/?order=unpaid` };
  const server = new Hono();

  server.get("/products", async (c) =>
    c.json(await client.get("/storefront/{company}/products", { params: { path, query: { limit: 100 } } })),
  );

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
    const checkout = await client.post("/storefront/{company}/checkout", {
      params: { path },
      body: { items, customer, currency, source_website: new URL(shop).host, ...after },
    });
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
      ? c.json(
          await client.get("/storefront/{company}/order/{orderId}", {
            params: { path: { company, orderId: id } },
          }),
        )
      : c.json({ message: "You have no order here." }, 404);
  });

  function paymentPage({ next_action: next }: Checkout): string | undefined {
    if (next?.type !== "razorpay_checkout") return next?.url;
    return `${razorpayPage}/${next.options.order_id}?${new URLSearchParams(after)}`;
  }
  server.onError((error, c) =>
    error instanceof ApiError
      ? c.json(error.problem ?? { message: error.message }, error.status as 400)
      : c.json({ message: "The shop could not be reached. Try again." }, 503),
  );
  return server;
}
