import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createGateways, type GatewayOptions, gatewayVariables } from "../../src/sandbox/gateways/index.ts";
import { type Fetch, serve } from "../../src/sandbox/server/node-handler.ts";
import type { violationsOf } from "../contracts/schemas.ts";

type Options = Omit<GatewayOptions, "origin"> & {
  port?: number;
  /** What a gateway would refuse of a request; one that it would refuse is answered 400. */
  violationsOf?: typeof violationsOf;
};

/** The stand-ins of the payment gateways on a port of their own, a free one unless given. */
export async function startGateways({ port = 0, violationsOf: judge, ...options }: Options) {
  let fetch: Fetch = () => new Response(null, { status: 503 });
  const server = await serve((request) => fetch(request), port);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateways = createGateways({ ...options, origin: url });
  fetch = async (request) => {
    const sent = await request.clone().text();
    const { pathname, search } = new URL(request.url);
    const [, kind = "", path = ""] = /^\/(\w+)(\/v\d\/.*)$/.exec(pathname) ?? [];
    const isCall = path !== "" && request.headers.has("Authorization");
    const asked = { method: request.method, path: path + search, headers: request.headers, body: sent };
    const [violation] = (isCall && judge?.(kind, asked)) || [];
    if (violation === undefined) return gateways.fetch(request);
    return Response.json({ error: { description: violation }, name: violation }, { status: 400 });
  };
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
