import * as z from "zod";
import { isPlainAddress } from "#shared/network/return-address.ts";

/** Where a payment page sends the payer: https, or http on this machine. */
export const returnAddress = z
  .string()
  .max(500)
  .refine(isSecure, { error: "must be an https address" })
  .refine(isPlainAddress, { error: "must have no control character, user or password" })
  .meta({ format: "uri" });

function isSecure(text: string): boolean {
  const address = URL.parse(text);
  if (address?.protocol !== "http:") return address?.protocol === "https:";
  return address.hostname === "localhost" || address.hostname === "127.0.0.1";
}

export const BookingPay = z.object({ return_url: returnAddress, cancel_url: returnAddress });
export const BookingPayment = z
  .object({
    required: z.boolean(),
    amount: z.number(),
    currency: z.string(),
    gateway: z.string().nullable(),
    payment_url: z.string().nullable().meta({ description: "Send the visitor to this address to pay." }),
    payment_data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The data for the gateway's own script, instead of `payment_url`." }),
    status: z.enum(["pending", "paid", "not_required"]),
    online_payment_enabled: z.boolean(),
  })
  .meta({ id: "BookingPayment" });

export type BookingPay = z.infer<typeof BookingPay>;
