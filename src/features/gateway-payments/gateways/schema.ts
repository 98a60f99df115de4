import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { CURRENCIES, GATEWAY_KINDS } from "#shared/payments/gateways.ts";

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/, "must be 1 to 500 printable characters without spaces");

const Credentials = z
  .object({
    key_id: secret,
    key_secret: secret,
    secret_key: secret,
    publishable_key: secret,
    client_id: secret,
    client_secret: secret,
    webhook_id: secret.describe("Of the webhook that the gateway signs for."),
  })
  .partial()
  .meta({
    description:
      "razorpay: `key_id`, `key_secret`; stripe: `secret_key`, `publishable_key`; paypal: `client_id`, `client_secret`, `webhook_id`. They are never shown again.",
  });

const fields = z.object({
  mode: z.enum(["test", "live"]),
  currencies: z
    .array(z.enum(CURRENCIES))
    .min(1)
    .refine((list) => new Set(list).size === list.length, {
      params: { code: "not_unique" },
      error: "must name each currency once",
    })
    .meta({ description: "Default: all currencies that the gateway takes." }),
  priority: z.int().min(0).max(1_000).meta({
    description: "If several gateways take a currency, the one with the lowest priority number is used.",
  }),
  is_active: z.boolean(),
  credentials: Credentials,
  webhook_secret: secret.meta({
    description:
      "The secret that the gateway signs its events with. The previous secret stays valid for three days.",
  }),
});

export const GatewayCreate = fields
  .extend({ kind: z.enum(GATEWAY_KINDS) })
  .partial()
  .required({ kind: true, mode: true, credentials: true });
export const GatewayPatch = patchOf(fields);

export type GatewayCreate = z.infer<typeof GatewayCreate>;
export type GatewayPatch = z.infer<typeof GatewayPatch>;
