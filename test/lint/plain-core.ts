import { matches } from "./finders.ts";
import type { Rule } from "./rules.ts";

// Words of the business that this API serves. Names that begin with one are found too, in any case.
const BUSINESS = [
  "account_?code",
  "applicant",
  "booking",
  "cart",
  "catalogue",
  "chat_?app",
  "checkout",
  "course",
  "customer",
  "debtor",
  "department",
  "dispatch",
  "employee",
  "gateway",
  "gst",
  "instructor",
  "invoice",
  "journal",
  "leads?\\b",
  "ledger",
  "messaging",
  "milestone",
  "paypal",
  "payment",
  "product",
  "razorpay",
  "recipient",
  "recruitment",
  "resume",
  "school",
  "sms",
  "sprint",
  "storefront",
  "stripe",
  "turnstile",
  "voucher",
  "work_?item",
];

/** `core/` serves any business: what it writes and says names none. */
export const plainCore: Rule = {
  name: "core/ has no business word",
  where: /^src\/core\//,
  inComments: true,
  find: matches(
    new RegExp(`(?<![a-z])(?:${BUSINESS.join("|")})|(?:${BUSINESS.map(capital).join("|")})`, "g"),
  ),
  broken: [
    ["src/core/x.ts", 'export type FolderName = "resumes";'],
    ["src/core/x.ts", "const objects: DurableObjectNamespace<MessagingQuota> = env.QUOTA;"],
    ["src/core/x.ts", "// Its answer may add what a gateway said."],
    ["src/core/x.ts", '"work_items.id": null'],
  ],
  sound: [
    ["src/core/x.ts", "const { message } = error; // misleads nobody"],
    ["src/features/invoices/x.ts", "const invoice = 1;"],
  ],
};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
