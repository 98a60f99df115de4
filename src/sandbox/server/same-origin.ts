import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Configuration } from "../configuration.ts";

const NAMES = ["localhost", "127.0.0.1", "[::1]"];
const READS = ["GET", "HEAD"];
// What a browser says of a request that no page of another address made: nothing, where it is an old one.
const OWN_SITE = [undefined, "same-origin", "none"];

/**
 * A merchant's page sends its payer here by a form, without an origin where the page hides its address
 * (https://razorpay.com/docs/payments/payment-gateway/web-integration/hosted/build-integration).
 */
const FROM_ANY_PAGE = "/razorpay/v1/checkout/embedded";

type Ports = Pick<Configuration, "port" | "sandboxPort">;

/**
 * Why a request to the sandbox's port is refused, or undefined. Its stand-ins act without a credential, so a page of
 * another address may neither reach them by a name that leads here, nor change anything.
 */
export function refusalOf(
  { method = "GET", url, headers }: IncomingMessage,
  { port, sandboxPort }: Ports,
): string | undefined {
  const { host = "", origin } = headers;
  if (!hostsOf(sandboxPort).includes(host)) {
    return `The sandbox is at localhost:${sandboxPort} only.`;
  }
  if (origin === undefined || READS.includes(method) || url === FROM_ANY_PAGE) return undefined;
  const own = [...hostsOf(sandboxPort), ...hostsOf(port)].map((name) => `http://${name}`);
  return own.includes(origin) ? undefined : "No page of another address changes anything here.";
}

/**
 * Why the API's port does not give its reference page's keys to who asked it, or undefined. The Worker passes on how it was
 * asked: keys are for the page at this machine's own names, not for one whose name leads here.
 */
export function refusalOfKeys(headers: IncomingHttpHeaders, { port }: Ports): string | undefined {
  const { "x-forwarded-host": host, origin, "sec-fetch-site": site } = headers;
  const isOwn =
    hostsOf(port).some((own) => own === host) &&
    (origin === undefined || origin === `http://${host}`) &&
    OWN_SITE.some((own) => own === site);
  return isOwn ? undefined : `The keys are for the reference page at localhost:${port} only.`;
}

function hostsOf(port: number): string[] {
  return NAMES.map((name) => `${name}:${port}`);
}
