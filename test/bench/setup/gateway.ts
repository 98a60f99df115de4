import { json } from "node:stream/consumers";
import { serveOwn } from "../../support/own-server.ts";

/** A payment gateway that opens every order at once, in the manner of Razorpay. */
export function startGateway(): ReturnType<typeof serveOwn> {
  let orders = 0;
  return serveOwn(async (request, response) => {
    const { amount, currency } = Object(await json(request));
    orders += 1;
    response.writeHead(200, { "Content-Type": "application/json" });
    const order = { id: `order_${orders}`, entity: "order", amount, currency, status: "created" };
    response.end(JSON.stringify(order));
  });
}
