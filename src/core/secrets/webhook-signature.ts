const PREFIX = /^whsec_/;

/**
 * The headers that a receiver knows a request by: its id, when it is sent (unix seconds), and for each secret the
 * HMAC-SHA-256 of id, time and body, as Standard Webhooks has it (https://www.standardwebhooks.com: "v1", a space between
 * several signatures). `secrets`: `whsec_` and base64.
 */
export async function signWebhook(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Promise<Record<`webhook-${"id" | "timestamp" | "signature"}`, string>> {
  const signed = new TextEncoder().encode(`${id}.${at}.${body}`);
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const bytes = Uint8Array.fromBase64(secret.replace(PREFIX, ""));
      const hash = { name: "HMAC", hash: "SHA-256" };
      const key = await crypto.subtle.importKey("raw", bytes, hash, false, ["sign"]);
      return `v1,${new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)).toBase64()}`;
    }),
  );
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": signatures.join(" ") };
}
