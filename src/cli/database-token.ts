import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";

/** A fresh Ed25519 private key as PEM: what signs the tokens that open the databases. */
export function newDatabaseKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public half of the key, as PEM: what sqld checks tokens with (`--auth-jwt-key-file`). */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
}

/** A JSON Web Token that may read and write every database and never expires. */
export function databaseToken(privateKey: string): string {
  const parts = [{ alg: "EdDSA", typ: "JWT" }, { a: "rw" }];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign(null, Buffer.from(text), createPrivateKey(privateKey)).toString("base64url")}`;
}
