import { createSign, createVerify, generateKeyPairSync, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { parsed } from "#shared/json.ts";
import type { Sign } from "./webhooks.ts";

const AUTH_ALGO = "SHA256withRSA";
// Of PayPal's form, for callers that look at it; the key itself is this process's own.
const CERT_URL = "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-of-the-stand-in";

let keys: ReturnType<typeof newKeys> | undefined;

const Transmission = z.object({
  auth_algo: z.literal(AUTH_ALGO),
  cert_url: z.literal(CERT_URL),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
});

/** The transmission headers of a webhook: an RSA signature over its id, time, webhook and the body's CRC-32. */
export const signPaypal: Sign = ({ webhook_secret }, { body }) => {
  const id = randomUUID();
  const time = new Date().toISOString().replace(/\.\d+/, "");
  const signer = createSign("RSA-SHA256").update(signedText(id, time, webhook_secret, body));
  return {
    "PAYPAL-AUTH-ALGO": AUTH_ALGO,
    "PAYPAL-AUTH-VERSION": "v2",
    "PAYPAL-CERT-URL": CERT_URL,
    "PAYPAL-TRANSMISSION-ID": id,
    "PAYPAL-TRANSMISSION-SIG": signer.sign(keyPair().privateKey, "base64"),
    "PAYPAL-TRANSMISSION-TIME": time,
    "User-Agent": "PayPal/AUHD-214.0-58565123",
  };
};

/** Whether a verify-webhook-signature body holds a transmission of ours, its event byte for byte. */
export function verifyTransmission(text: string, webhookId: string): boolean {
  const event = rawMember(text, "webhook_event");
  const { success, data } = Transmission.safeParse(parsed(text));
  if (!success || event === undefined || data.webhook_id !== webhookId) return false;
  const signed = signedText(data.transmission_id, data.transmission_time, webhookId, event);
  const { publicKey } = keyPair();
  return createVerify("RSA-SHA256").update(signed).verify(publicKey, data.transmission_sig, "base64");
}

/** The text of a member of a JSON object, as it stands there. */
export function rawMember(json: string, name: string): string | undefined {
  let depth = 0;
  let key = "";
  let start = 0;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (depth === 1 && token === ":") start = index + 1;
    else if (depth === 1 && (token === "," || token === "}")) {
      if (key === JSON.stringify(name)) return json.slice(start, index).trim();
      start = 0;
    } else if (token === "}" || token === "]") depth -= 1;
    else if (depth === 1 && start === 0) key = token;
  }
  return undefined;
}

function signedText(id: string, time: string, webhookId: string, body: string): string {
  return [id, time, webhookId, crc32(body)].join("|");
}

function keyPair() {
  keys ??= newKeys();
  return keys;
}

function newKeys() {
  return generateKeyPairSync("rsa", { modulusLength: 2_048 });
}
