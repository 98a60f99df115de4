import { describe, expect, test } from "vitest";
import { openBusy } from "../../support/company.ts";
import { type Answer, send } from "../../support/http.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const company = await openBusy();

function allowed(answer: Answer<unknown>): string[] {
  return (answer.headers.get("Allow") ?? "").split(", ").filter((method) => method !== "");
}

/** The methods that the address answers otherwise than with a 405. */
async function routed(path: string): Promise<string[]> {
  const answers = await Promise.all(METHODS.map((method) => company.call(method, path, { base: "" })));
  return METHODS.filter((_, index) => answers[index]?.status !== 405);
}

const DOCUMENTS = [
  "/",
  "/health",
  "/ready",
  "/errors",
  "/errors/not_found",
  "/docs",
  "/docs/",
  "/docs/demo.json",
  "/docs/nothing.js",
  "/docs/guides",
  "/docs/guides/nothing.md",
  "/llms.txt",
  "/widget/v1/booking-widget.js",
  "/b/no-such-company/token",
  "/b/no-such-company/token/cancel",
  "/cal/no-such-company/token",
  "/i/no-such-company/token",
  "/i/no-such-company/token/pay",
  "/u/no-such-company/token",
  "/v1/openapi.json",
  "/v1/openapi-3.0.json",
  "/v1/storefront/:company/webhook/razorpay",
  "/v1/webhooks/chatapp",
  "/v1/webhooks/sms/:company/msg91/token",
  "/v1/webhooks/email/:company/resend/token",
  "/platform/migrations",
  "/platform/companies/no-such-company",
];

describe.each(DOCUMENTS)("%s", (path) => {
  test("lists its methods for OPTIONS, and for a method that it does not answer", async () => {
    const methods = await routed(path);
    const others = [...METHODS.filter((method) => !methods.includes(method)), "OPTIONS", "PROPFIND"];
    for (const method of others) {
      const answer = await company.call(method, path, { base: "" });
      expect(answer, method).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
      expect(allowed(answer), method).toEqual(methods);
    }
  });
});

test("an address written with escapes has the methods of the one that it stands for", async () => {
  for (const [path, methods] of [
    ["/v1/invoices/:company/1/%76oid", ["POST"]],
    ["/v1/invoices/:company/%31/void", ["POST"]],
  ] as const) {
    const answer = await company.call("DELETE", path, { base: "" });
    expect(answer, path).toMatchObject({ status: 405 });
    expect(allowed(answer), path).toEqual(methods);
  }
});

test("an address whose every method is 404 is 404", async () => {
  const answer = await company.call("PUT", "/v1/customers/:company/no-id", { base: "" });
  expect(answer).toMatchObject({ status: 404, body: { code: "route_not_found" } });
});

test("a preflight of Bookings lists the methods of its address for any caller", async () => {
  const told = async (path: string) => {
    const answer = await send("OPTIONS", `/v1/schools/${company.slug}${path}`);
    expect(answer.status).toBe(204);
    return answer.headers.get("Allow");
  };
  expect(await told("/locations")).toBe("GET, OPTIONS");
  expect(await told("/bookings")).toBe("POST, OPTIONS");
  expect(await told(`/bookings/bkg_${"a".repeat(26)}`)).toBe("GET, OPTIONS");
  expect(await told("/nothing/of/the/kind")).toBe("OPTIONS");
});
