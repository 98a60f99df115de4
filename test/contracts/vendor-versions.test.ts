import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endingVersions, pinnedVersions } from "./vendor-versions.ts";

/** Where the source says which version of a vendor it asks in. */
const PINNED: Record<string, [file: string, pattern: RegExp]> = {
  "Meta Graph API": ["src/providers/chatapp/meta.ts", /\.default\("(v[\d.]+)"\)/],
  Stripe: ["src/providers/payment/stripe-request.ts", /VERSION = "([^"]+)"/],
  "PayPal Orders": ["src/providers/payment/paypal.ts", /\/(v\d)\/checkout\/orders/],
  Razorpay: ["src/providers/payment/razorpay.ts", /\/(v\d)\//],
  Twilio: ["src/providers/sms/twilio.ts", /\/(\d{4}-\d\d-\d\d)\/Accounts/],
  MSG91: ["src/providers/sms/msg91.ts", /\/api\/(v\d)\/sendsms/],
  Exotel: ["src/providers/sms/exotel.ts", /\/(v\d)\/Accounts/],
  "Turso platform API": ["src/tenancy/provision/turso.ts", /\/(v\d)\/organizations/],
  Turnstile: ["src/providers/captcha/index.ts", /\/turnstile\/(v\d)\//],
};

test("docs/operate.md has the version of each vendor that the source asks in", () => {
  const known = Object.entries(PINNED).map(([vendor, [file, pattern]]) => [
    vendor,
    pattern.exec(readFileSync(file, "utf8"))?.[1],
  ]);
  expect(pinnedVersions().map(({ vendor, version }) => [vendor, version])).toEqual(known);
});

test("an end is warned of from 180 days before it, and fails once it has passed", () => {
  const row = "| Meta Graph API | `v23.0` | 2027-10-08 | 2026-11-29 | a.example |";
  const versions = pinnedVersions(`${row}\n| Twilio | \`2010-04-01\` | none set | 2026-11-29 | b.example |`);
  const at = (date: string) => {
    const { over, soon } = endingVersions(versions, Date.parse(date));
    return [over.length, soon.length];
  };
  expect(versions).toHaveLength(2);
  expect(at("2027-04-10")).toEqual([0, 0]);
  expect(at("2027-04-11")).toEqual([0, 1]);
  expect(at("2027-10-07")).toEqual([0, 1]);
  expect(at("2027-10-08")).toEqual([1, 0]);
});

test("CI looks at them outside the tests", () => {
  expect(readFileSync(".ci/run", "utf8")).toContain("\nnpm run versions\n");
});
