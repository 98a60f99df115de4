import { Webhook } from "standardwebhooks";
import type { components } from "./types.d.ts";

/** What a webhook brings. */
export type Event = components["schemas"]["Event"];

type HeaderRecord = Record<string, string | string[] | undefined>;

/**
 * The event of a webhook's request. `body` is its text as it came, before it is parsed; `secret` is the endpoint's, which
 * begins with `whsec_`. Throws where the signature is not of that secret, or its time is more than five minutes away.
 */
export function verifyWebhook(body: string, headers: Headers | HeaderRecord, secret: string): Event {
  const read = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const signed = Object.fromEntries(names.map((name) => [name, read(name)]));
  return new Webhook(secret).verify(body, signed) as Event;
}
