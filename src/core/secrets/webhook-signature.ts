import { Webhook } from "standardwebhooks";

/**
 * The headers that a receiver knows a request by, as Standard Webhooks has them (https://www.standardwebhooks.com): its
 * id, when it is sent (unix seconds), and a signature for each secret, with a space between them. `secrets`: `whsec_`
 * and base64.
 */
export function signWebhook(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<`webhook-${"id" | "timestamp" | "signature"}`, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at * 1_000), body));
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signatures.join(" ") };
}
