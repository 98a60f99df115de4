import { expect, test } from "vitest";
import { sha256Hex } from "#platform/secrets/hash.ts";
import { keyIdOf, open, seal, sealedBy } from "#platform/secrets/seal.ts";

const key = (byte: number) => new Uint8Array(32).fill(byte).toBase64();
const CURRENT = key(1);
const PREVIOUS = key(2);
const PLACE = { company: "acme", field: "database_token" };

test("what is sealed opens in its place, whatever its text", async () => {
  for (const text of ["", "secret", "\u0905 \ud83d\ude00", "x".repeat(10_000)])
    expect(await open([CURRENT], PLACE, await seal(CURRENT, PLACE, text))).toBe(text);
});

test("a row moved to another company or another field does not open", async () => {
  const sealed = await seal(CURRENT, PLACE, "secret");
  await expect(open([CURRENT], { ...PLACE, company: "other" }, sealed)).rejects.toThrow(
    "opens with no master key",
  );
  await expect(open([CURRENT], { ...PLACE, field: "webhook_secret" }, sealed)).rejects.toThrow();
  // The separator of the two is no letter of a slug, so no other pair reads the same.
  await expect(open([CURRENT], { company: "acme|database", field: "token" }, sealed)).rejects.toThrow();
});

test("what the previous master key sealed still opens, and a stranger's does not", async () => {
  const sealed = await seal(PREVIOUS, PLACE, "secret");
  expect(await open([CURRENT, PREVIOUS], PLACE, sealed)).toBe("secret");
  await expect(open([CURRENT], PLACE, sealed)).rejects.toThrow();
});

test("a sealed value names its key, whose name is no part of it; one from before keys had names opens too", async () => {
  const sealed = await seal(PREVIOUS, PLACE, "secret");
  expect(sealedBy(sealed)).toBe(await keyIdOf(PREVIOUS));
  expect(await keyIdOf(PREVIOUS)).not.toBe(await keyIdOf(CURRENT));
  expect(PREVIOUS).not.toContain(await keyIdOf(PREVIOUS));
  const unnamed = `v1.${sealed.split(".")[2]}`;
  expect(sealedBy(unnamed)).toBeNull();
  expect(await open([CURRENT, PREVIOUS], PLACE, unnamed)).toBe("secret");
});

test("no two seals of one text are alike, and none shows it", async () => {
  const seals = await Promise.all([1, 2, 3].map(() => seal(CURRENT, PLACE, "secret")));
  expect(new Set(seals).size).toBe(3);
  for (const sealed of seals) expect(sealed).toMatch(/^v2\.[0-9a-f]{12}\.[\w-]+$/);
});

test("a seal of which any character is changed does not open", async () => {
  const sealed = await seal(CURRENT, PLACE, "secret");
  for (let index = 3; index < sealed.length - 1; index += 1) {
    const other = sealed[index] === "A" ? "B" : "A";
    const broken = sealed.slice(0, index) + other + sealed.slice(index + 1);
    await expect(open([CURRENT], PLACE, broken), String(index)).rejects.toThrow();
  }
});

test("a digest is lower-case hexadecimal SHA-256", async () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  expect(await sha256Hex("")).toBe(empty);
  expect(await sha256Hex(new Uint8Array())).toBe(empty);
});
