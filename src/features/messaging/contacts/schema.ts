import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { instant } from "#shared/fields/instant.ts";
import { timestamp } from "../schema.ts";

export const OptoutCreate = z.object({
  channel: z.enum(["sms", "chatapp"]),
  address: z
    .string()
    .max(40, "must have at most 40 characters")
    .regex(/^ *\+?(?:[ ().-]*\d){8,15}[ ().-]*$/, "must be 8 to 15 digits")
    .meta({
      description:
        "A number with `+` or `00`, or as it is dialled in the company's country. Matched whole, in E.164; by its last 9 digits where it cannot be told.",
    }),
});
export const Optout = z
  .object({
    id: z.string(),
    channel: z.enum(["sms", "chatapp"]),
    address: z.string().meta({
      description:
        "The digits as they were given; `erased` once the person was erased: then a keyed hash is matched.",
    }),
    e164: z
      .string()
      .nullable()
      .meta({ description: "The whole number that messages are matched by; null where it cannot be told." }),
    source: z.enum(["manual", "inbound"]).meta({ description: "`inbound`: the person wrote STOP." }),
    created_at: timestamp,
  })
  .meta({ id: "Optout" });

export const SuppressionCreate = z.object({
  email: emailAddress,
  scope: z
    .enum(["all", "marketing"])
    .default("all")
    .meta({ description: "What is not sent to it: anything, or no marketing." }),
  reason: z.enum(["manual", "unsubscribe"]).default("manual"),
  expires_at: instant.nullable().optional().meta({ description: "Until when; by default for good." }),
});
export const Suppression = z
  .object({
    id: z.string(),
    email: z.string().meta({
      description: "In lower case; `erased` once the person was erased: then a keyed hash is matched.",
    }),
    scope: z.enum(["all", "marketing"]),
    reason: z.enum(["hard_bounce", "complaint", "manual", "unsubscribe"]),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Suppression" });

export type OptoutCreate = z.output<typeof OptoutCreate>;
export type SuppressionCreate = z.output<typeof SuppressionCreate>;
