import * as z from "zod";
import { CHATAPP_USER } from "#shared/contact/chatapp-user.ts";
import { emailAddress } from "#shared/contact/email-address.ts";
import { idReference } from "#shared/fields/ids.ts";
import { cleanText, phoneText } from "#shared/fields/text.ts";

const IDENTIFIERS = ["email", "phone", "chatapp_user", "customer_id", "lead_id", "application_id"] as const;

const fields = {
  email: emailAddress.optional().describe("Compared as a whole. Upper and lower case are equal."),
  phone: phoneText({ min: 1, max: 40 }).optional().meta({
    description:
      "One number, with `+` or `00`, or as dialled in the company's country. Compared as a whole. A record whose text holds other numbers too is not found by it: name that record by its id.",
  }),
  chatapp_user: z.string().regex(CHATAPP_USER, "must be a user id such as IN.123").optional().meta({
    description:
      "The user id of a person who hides the number in the chat-app. Its number and other ids, and those of `phone`, are known where one message named them together: what is found by these is erased too.",
  }),
  customer_id: idReference.optional().meta({
    description:
      "A customer's id. Data found by the e-mail address and the phone number of that record is erased too.",
  }),
  lead_id: idReference.optional().meta({ description: "A lead's id, with the same effect." }),
  application_id: idReference.optional().meta({ description: "An application's id, with the same effect." }),
  reason: cleanText({ min: 1, max: 255 }).optional().meta({
    description: "Stored, and shown in the list. Do not name the person in it.",
  }),
};
export const ErasureCreate = z.object(fields).superRefine((body, context) => {
  if (IDENTIFIERS.some((name) => body[name] !== undefined)) return;
  const message = `must name the person by one of ${IDENTIFIERS.join(", ")}`;
  context.addIssue({ code: "custom", params: { code: "required" }, message, path: [] });
});

export const ErasureQuery = z.object({
  person_hash: cleanText({ min: 1, max: 100 })
    .optional()
    .meta({ description: "The `person_hash` from the answer to an erasure of the same identifier." }),
});

const KEPT = [
  "customer",
  "orders",
  "invoices",
  "payments",
  "refunds",
  "journal_entries",
  "messages",
  "optouts",
  "suppressions",
  "audit_log",
] as const;

export const ErasureCounts = z.object({
  customers: z.int().describe("Customers whose record is blanked, because part of their books must be kept."),
  orders: z.int().meta({ description: "Unpaid orders." }),
  leads: z.int(),
  applications: z.int(),
  messages: z.int().meta({ description: "One for each recipient: the address and the content." }),
  inbound: z.int().meta({ description: "Messages that the person wrote to the company." }),
  bookings: z.int().meta({ description: "Bookings that had a note, a pickup address or a reason." }),
  optouts: z.int(),
  suppressions: z.int(),
  events: z.int().meta({ description: "Events that now hold only the id of their record." }),
  files: z.int(),
});
export const Kept = z.object({
  what: z.enum(KEPT).describe("The kind of record."),
  why: z.string().describe("The law that asks for it."),
  until: z
    .string()
    .nullable()
    .meta({ format: "date", description: "The day until which it is kept. Null: no day is set." }),
});

export type ErasureCreate = z.infer<typeof ErasureCreate>;
export type ErasureQuery = z.infer<typeof ErasureQuery>;
export type ErasureCounts = z.infer<typeof ErasureCounts>;
export type Kept = z.infer<typeof Kept>;
