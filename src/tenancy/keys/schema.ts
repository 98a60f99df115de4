import * as z from "zod";
import { SCOPES, Scope } from "#api/operations/scopes.ts";
import { instant } from "#shared/fields/instant.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { allowedOrigin } from "./origin-entry.ts";

const MILLION = 1_000_000;
export const perMinute = z.int().min(1).max(MILLION);
export const perDay = z.int().min(0).max(MILLION);
/** What a key may do. */
export const scopes = z.array(Scope.meta({ id: "Scope" }));
const keyFields = z.object({
  name: cleanText({ min: 1, max: 100 }).meta({ description: "For people: what the key is for." }),
  scopes: scopes
    .max(SCOPES.length)
    .meta({ description: "What a secret key may do. A publishable key has its fixed rights in Bookings." }),
  allowed_origins: z.array(allowedOrigin).max(20).meta({
    description:
      "Where a publishable key works, 1 to 20, such as `https://book.example.com` or `https://*.example.com`. A secret key has none.",
  }),
  rate_limit_per_minute: perMinute.meta({ description: "Calls in any 60 seconds. By default 600." }),
  messaging_rate_per_minute: perMinute.meta({ description: "Messages in any 60 seconds. By default 30." }),
  messaging_daily_cap: perDay.describe("Messages in one day of the company's time zone. By default 1,000."),
  expires_at: instant.nullable().meta({ description: "From then on the key is refused. Null: never." }),
});

export const KeyCreate = keyFields.partial().extend({
  name: keyFields.shape.name,
  type: z.enum(["secret", "publishable"]).describe("`publishable` for browsers, Bookings only."),
});
export const KeyPatch = patchOf(keyFields);
export const KeyRotate = z.object({
  overlap_seconds: z
    .literal([0, 3_600, 86_400, 604_800])
    .meta({ description: "How long the old secret still works: 0, 1 hour, 1 day or 7 days." }),
});
export const KeyParams = z.object({
  client_id: z.string().meta({ description: "The key's id, `ck_...` or `pk_...`." }),
});

export const RevokedKey = z
  .object({ client_id: z.string(), revoked: z.literal(true) })
  .meta({ id: "RevokedKey" });

export type KeyCreate = z.infer<typeof KeyCreate>;
export type KeyPatch = z.infer<typeof KeyPatch>;
export type KeyRotate = z.infer<typeof KeyRotate>;
export type KeyParams = z.infer<typeof KeyParams>;
