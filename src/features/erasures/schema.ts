import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { idReference } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";

const IDENTIFIERS = ["email", "phone", "customer_id", "lead_id", "application_id"] as const;

const fields = {
  email: emailAddress.optional().meta({ description: "Compared whole, in any case." }),
  phone: cleanText({ min: 1, max: 40 }).optional().meta({
    description: "With `+` or `00`, or as it is dialled in the company's country. Compared whole.",
  }),
  customer_id: idReference.optional().meta({
    description: "What is found by the e-mail address and the phone number of that record goes too.",
  }),
  lead_id: idReference.optional().meta({ description: "The same, of a lead." }),
  application_id: idReference.optional().meta({ description: "The same, of an application." }),
  reason: cleanText({ min: 1, max: 255 }).optional().meta({
    description: "Kept, and shown in the list: do not name the person in it.",
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
    .meta({ description: "As an erasure of the same identifier answered it." }),
});

const KEPT = [
  "customer",
  "orders",
  "invoices",
  "payments",
  "journal_entries",
  "messages",
  "optouts",
  "suppressions",
  "audit_log",
] as const;

export const ErasureCounts = z.object({
  customers: z.int().meta({ description: "Blanked: those of whom books are kept in part." }),
  orders: z.int().meta({ description: "That nobody paid." }),
  leads: z.int(),
  applications: z.int(),
  messages: z.int().meta({ description: "Once for each recipient: the address, and the content." }),
  inbound: z.int().meta({ description: "What the person wrote to the company." }),
  bookings: z.int().meta({ description: "That had a note, a pickup address or a reason." }),
  optouts: z.int(),
  suppressions: z.int(),
  events: z.int().meta({ description: "Which tell the id of their record alone now." }),
  files: z.int(),
});
export const Kept = z.object({
  what: z.enum(KEPT),
  why: z.string(),
  until: z.string().nullable().meta({ format: "date", description: "Null: no day is set." }),
});

export const ErasureResult = z
  .object({
    id: z.string(),
    requested_at: z.string().meta({ format: "date-time" }),
    person_hash: z.string().meta({
      description:
        "Of the first identifier given, by a key of the company's own: it tells nobody who it was.",
    }),
    reason: z.string().nullable(),
    erased: ErasureCounts,
    kept: z.array(Kept),
  })
  .meta({ id: "Erasure" });

export type ErasureCreate = z.infer<typeof ErasureCreate>;
export type ErasureQuery = z.infer<typeof ErasureQuery>;
export type ErasureCounts = z.infer<typeof ErasureCounts>;
export type Kept = z.infer<typeof Kept>;
