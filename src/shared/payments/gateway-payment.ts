import * as z from "zod";
import { GATEWAY_KINDS } from "./gateways.ts";

/** A payment that was started at a gateway, as the wire has it. */
export const GatewayPayment = z.object({
  gateway: z.enum(GATEWAY_KINDS),
  status: z.enum(["created", "paid", "failed", "mismatch"]),
  amount: z.number().describe("What was asked for."),
  currency: z.string(),
  gateway_order_id: z.string().nullable().describe("The gateway's id of its order or session."),
  gateway_payment_id: z.string().nullable().meta({ description: "By which a gateway refunds it." }),
  other_payment_ids: z.array(z.string()).meta({
    description:
      "What came twice, of another amount, or without effect, and is owed back unless it is invoiced.",
  }),
  created_at: z.string(),
  paid_at: z.string().nullable(),
});
