import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A payment gateway that opens every order at once, in the manner of Razorpay. */
export async function startGateway(): Promise<{ url: string; stop: () => void }> {
  let orders = 0;
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request);
    const { amount, currency } = JSON.parse(Buffer.concat(chunks).toString());
    orders += 1;
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({ id: `order_${orders}`, entity: "order", amount, currency, status: "created" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
