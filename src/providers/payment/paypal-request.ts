import { MINUTE_MS } from "#shared/time/durations.ts";
import { at, listAt, textAt } from "../json.ts";
import { basic } from "../message-request.ts";
import { type GatewayAccount, GatewayError } from "./gateway.ts";
import { ask } from "./gateway-request.ts";

/** Asks PayPal with a token; a PayPal-Request-Id among `more` headers makes a repeated request the same one. A text goes as it is. */
export async function send(
  account: GatewayAccount,
  path: string,
  body?: object | string,
  more: Record<string, string> = {},
  asks = ask,
): Promise<unknown> {
  const request = async () => {
    const authorization = `Bearer ${await tokenOf(account)}`;
    return asks(account.address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: authorization, "Content-Type": "application/json", ...more },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  };
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof GatewayError && error.reason === "invalid_token")) throw error;
    // PayPal took the token back before its time.
    tokens.clear();
    return request();
  }
}

const EARLY_MS = MINUTE_MS;
const MOST = 200;
// A token is good for hours, and asking for one costs a round trip per payment.
const tokens = new Map<string, { token: string; until: number }>();

async function tokenOf({ address, credentials }: GatewayAccount): Promise<string> {
  const authorization = basic(credentials.client_id, credentials.client_secret);
  const name = `${address} ${authorization}`;
  const known = tokens.get(name);
  if (known !== undefined && known.until > performance.now()) return known.token;
  const answer = await ask(`${address}/v1/oauth2/token`, {
    headers: { Authorization: authorization, "Content-Type": "application/x-www-form-urlencoded" },
    body: "grant_type=client_credentials",
  });
  const token = textAt(answer, "access_token");
  if (token === null) throw new GatewayError("PayPal gave no token", false);
  const seconds = Number(at(answer, "expires_in"));
  if (tokens.size >= MOST) tokens.clear();
  if (seconds > 0) tokens.set(name, { token, until: performance.now() + seconds * 1_000 - EARLY_MS });
  return token;
}

/** Where a link of PayPal's leads. */
export function linkOf(value: unknown, rel: string): string | null {
  const link = listAt(value, "links").find((each) => textAt(each, "rel") === rel);
  return textAt(link, "href");
}

/** An amount as PayPal writes it. */
export function decimal(amount: number): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
}

/** An amount of PayPal's in minor units, or null. */
export function minor(value: string | null): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0?)?$/.exec(value ?? "");
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
