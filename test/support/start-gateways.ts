import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createGateways, type GatewayOptions, gatewayVariables } from "../../src/sandbox/gateways/index.ts";
import { type Fetch, serve } from "../../src/sandbox/server/node-handler.ts";

/** The stand-ins of the payment gateways on a port of their own, a free one unless given. */
export async function startGateways({
  port = 0,
  ...options
}: Omit<GatewayOptions, "origin"> & { port?: number }) {
  let fetch: Fetch = () => new Response(null, { status: 503 });
  const server = await serve((request) => fetch(request), port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateways = createGateways({ ...options, origin: url });
  fetch = gateways.fetch;
  return {
    ...gateways,
    url,
    variables: gatewayVariables(url),
    async stop() {
      gateways.stop();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
