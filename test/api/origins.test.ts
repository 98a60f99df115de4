import { describe, expect, test } from "vitest";
import { isAllowedOrigin, requestOrigin } from "#api/access/allowed-origin.ts";
import vectors from "../vectors/origins.json" with { type: "json" };

describe("the allow-list of the vectors", () => {
  test.each(vectors.allowed)("lets %s in", (origin) => {
    expect(isAllowedOrigin(origin, vectors.allow_list)).toBe(true);
  });

  test.each(vectors.refused)("keeps %s out", (origin) => {
    expect(isAllowedOrigin(origin, vectors.allow_list)).toBe(false);
  });

  test.each(vectors.referers_refused)("keeps a page at %s out", (referer) => {
    const origin = requestOrigin(new Headers({ Referer: referer }));
    expect(origin === null || isAllowedOrigin(origin, vectors.allow_list)).toBe(false);
  });
});

test("a wildcard stands for host names only", () => {
  for (const origin of [
    "https://evil.com/.school.in",
    "https://evil.com?.school.in",
    "https://user@.school.in",
    "https://.school.in",
    "https://a.school.in.",
    "https://a.school.in:444",
    "http://a.school.in",
  ])
    expect(isAllowedOrigin(origin, ["https://*.school.in"]), origin).toBe(false);
});

test("an empty list allows nothing", () => {
  expect(isAllowedOrigin("https://book.example.com", [])).toBe(false);
});

describe("the origin of a request", () => {
  test("is the Origin header wherever it is sent, whatever the Referer says", () => {
    const headers = { Origin: "null", Referer: "https://book.example.com/page" };
    expect(requestOrigin(new Headers(headers))).toBe("null");
  });

  test("is that of the Referer where there is no Origin", () => {
    const of = (referer: string) => requestOrigin(new Headers({ Referer: referer }));
    expect(of("https://Book.example.com:443/a?b#c")).toBe("https://book.example.com");
    expect(of("https://good.example@evil.example/")).toBe("https://evil.example");
    expect(of("no address")).toBeNull();
    expect(requestOrigin(new Headers())).toBeNull();
  });
});
