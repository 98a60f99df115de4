import { expect, test } from "vitest";
import { requireOrigins } from "#tenancy/keys/require-own-hosts.ts";

test.each([
  "https://co.uk",
  "https://com",
  "https://com.",
  "https://*.com.",
  "https://*.com.au",
  "https://co.in",
  "https://*.gov.in",
  "https://github.io",
  "https://*.github.io",
  "https://*.pages.dev:8443",
  "https://*.vercel.app",
  "https://*.blogspot.com",
  "https://xn--p1ai",
  "https://intranet",
  "https://something.ck",
])("%s belongs to no one", async (origin) => {
  await expect(requireOrigins("publishable", ["https://book.example.com", origin])).rejects.toMatchObject({
    code: "validation_failed",
    details: { errors: [{ field: "allowed_origins[1]", code: "invalid_origin" }] },
  });
});

test("a name below a suffix has an owner, and so has this machine", async () => {
  await requireOrigins("publishable", [
    "https://school.github.io",
    "https://*.school.github.io",
    "https://example.co.uk",
    "https://*.my-school.in",
    "https://*.school.in",
    "https://www.ck",
    "https://xn--mnchen-3ya.example",
    "http://localhost:5173",
    "http://127.0.0.1:3000",
    "https://192.0.2.7",
  ]);
});
