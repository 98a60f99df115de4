import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  isWellFormedSecret,
  newClientId,
  newClientSecret,
} from "#tenancy/keys/key-format.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("an id shows the kind of its key", () => {
  expect(newClientId("secret")).toMatch(/^ck_[0-9A-Za-z]{22}$/);
  expect(newClientId("publishable")).toMatch(/^pk_[0-9A-Za-z]{22}$/);
  expect(newClientId("secret")).toMatch(CLIENT_ID);
});

test("a secret has 43 random characters and a checksum of 6", () => {
  const secret = newClientSecret();
  expect(secret).toMatch(/^sk_[0-9A-Za-z]{49}$/);
  expect(secret).toMatch(CLIENT_SECRET);
  expect(isWellFormedSecret(secret)).toBe(true);
});

test("no two of a thousand ids or secrets are equal, and every character of the alphabet occurs", () => {
  const secrets = Array.from({ length: 1_000 }, newClientSecret);
  const ids = Array.from({ length: 1_000 }, () => newClientId("secret"));
  expect(new Set([...secrets, ...ids]).size).toBe(2_000);
  const counts = new Map<string, number>();
  for (const letter of secrets.flatMap((secret) => [...secret.slice(3, 46)]))
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect([...counts.keys()].sort().join("")).toBe([...BASE62].sort().join(""));
  // 43,000 letters of 62 kinds: 693 of each; a bias towards the first eight would show as a quarter more.
  for (const [letter, count] of counts) expect(count, letter).toBeGreaterThan(530);
  for (const [letter, count] of counts) expect(count, letter).toBeLessThan(860);
});

describe("a mistyped secret", () => {
  test("is distinguished from a whole one without a look-up, whichever character is wrong", () => {
    const secret = newClientSecret();
    const place = fc.integer({ min: 3, max: secret.length - 1 });
    const letter = fc.constantFrom(...BASE62);
    fc.assert(
      fc.property(place, letter, (at, other) => {
        fc.pre(secret[at] !== other);
        expect(isWellFormedSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test("is one with two letters swapped, cut short, too long, or of another kind", () => {
    const body = newClientSecret();
    const swapped = body.slice(0, 10) + body[11] + body[10] + body.slice(12);
    expect(isWellFormedSecret(swapped)).toBe(body[10] === body[11]);
    for (const wrong of [
      "",
      "sk_",
      body.slice(0, -1),
      `${body}0`,
      body.replace("sk_", "pk_"),
      ` ${body}`,
      `${body}\n`,
    ])
      expect(isWellFormedSecret(wrong)).toBe(false);
  });
});
