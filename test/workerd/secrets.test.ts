import { expect, test } from "vitest";
import { decrypt, encrypt, encryptedBy, keyIdOf } from "#core/secrets/encryption.ts";
import { sha256Hex } from "#core/secrets/hash.ts";

const key = (byte: number) => new Uint8Array(32).fill(byte).toBase64();
const CURRENT = key(1);
const PREVIOUS = key(2);
const PLACE = { company: "acme", field: "database_token" };

test("what is encrypted opens in its place, whatever its text", async () => {
  for (const text of ["", "secret", "\u0905 \ud83d\ude00", "x".repeat(10_000)])
    expect(await decrypt([CURRENT], PLACE, await encrypt(CURRENT, PLACE, text))).toBe(text);
});

test("a row moved to another company or another field does not open", async () => {
  const encrypted = await encrypt(CURRENT, PLACE, "secret");
  await expect(decrypt([CURRENT], { ...PLACE, company: "other" }, encrypted)).rejects.toMatchObject({
    code: "no_key_opens",
  });
  await expect(decrypt([CURRENT], { ...PLACE, field: "webhook_secret" }, encrypted)).rejects.toThrow();
  // The separator of the two is no letter of a slug, so no other pair reads the same.
  await expect(decrypt([CURRENT], { company: "acme|database", field: "token" }, encrypted)).rejects.toThrow();
});

test("what the previous master key encrypted still opens, and a stranger's does not", async () => {
  const encrypted = await encrypt(PREVIOUS, PLACE, "secret");
  expect(await decrypt([CURRENT, PREVIOUS], PLACE, encrypted)).toBe("secret");
  await expect(decrypt([CURRENT], PLACE, encrypted)).rejects.toThrow();
});

test("an encrypted value names its key, whose name is no part of it; a text that names none opens with none", async () => {
  const encrypted = await encrypt(PREVIOUS, PLACE, "secret");
  expect(encryptedBy(encrypted)).toBe(await keyIdOf(PREVIOUS));
  expect(await keyIdOf(PREVIOUS)).not.toBe(await keyIdOf(CURRENT));
  expect(PREVIOUS).not.toContain(await keyIdOf(PREVIOUS));
  const unnamed = `v2.${encrypted.split(".")[2]}`;
  expect(encryptedBy(unnamed)).toBeNull();
  await expect(decrypt([CURRENT, PREVIOUS], PLACE, unnamed)).rejects.toThrow();
});

test("no two encryptions of one text are alike, and none shows it", async () => {
  const seals = await Promise.all([1, 2, 3].map(() => encrypt(CURRENT, PLACE, "secret")));
  expect(new Set(seals).size).toBe(3);
  for (const encrypted of seals) expect(encrypted).toMatch(/^v2\.[0-9a-f]{12}\.[\w-]+$/);
});

test("an encrypted text with any changed character does not open", async () => {
  const encrypted = await encrypt(CURRENT, PLACE, "secret");
  for (let index = 3; index < encrypted.length - 1; index += 1) {
    const other = encrypted[index] === "A" ? "B" : "A";
    const broken = encrypted.slice(0, index) + other + encrypted.slice(index + 1);
    await expect(decrypt([CURRENT], PLACE, broken), String(index)).rejects.toThrow();
  }
});

test("a digest is lower-case hexadecimal SHA-256", async () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  expect(await sha256Hex("")).toBe(empty);
  expect(await sha256Hex(new Uint8Array())).toBe(empty);
});
