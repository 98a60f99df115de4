import { createDecipheriv, hkdfSync } from "node:crypto";
import { Failure } from "../failure.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The token of a company's database, which the control database keeps sealed: AES-256-GCM under a key that HKDF-SHA-256
 * derives from MASTER_KEY, or else from PREVIOUS_MASTER_KEY, for the company. Throws a Failure where neither opens it.
 */
export function openToken(slug: string, sealed: string): string {
  const masterKeys = [process.env.MASTER_KEY, process.env.PREVIOUS_MASTER_KEY].filter(Boolean);
  if (masterKeys.length === 0)
    throw new Failure(
      "SQLD_DATABASE_TOKEN is missing, and MASTER_KEY too, which opens the company's own token",
    );
  for (const masterKey of masterKeys) {
    const token = tokenBy(masterKey ?? "", slug, sealed);
    if (token !== undefined) return token;
  }
  throw new Failure(`MASTER_KEY does not open the token of ${slug}'s database: is it the Worker's?`);
}

function tokenBy(masterKey: string, slug: string, sealed: string): string | undefined {
  const packed = Buffer.from(sealed.slice("v1.".length), "base64url");
  const key = hkdfSync("sha256", Buffer.from(masterKey, "base64"), "", `seal|${slug}`, 32);
  const cipher = createDecipheriv("aes-256-gcm", Buffer.from(key), packed.subarray(0, NONCE_BYTES));
  cipher.setAAD(Buffer.from(`${slug}|database_token`));
  cipher.setAuthTag(packed.subarray(-TAG_BYTES));
  try {
    const text = cipher.update(packed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, cipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
