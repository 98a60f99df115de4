import { sql } from "drizzle-orm";
import { Router } from "#api/operations/operation.ts";
import type { OutsideCtx, WriteCtx } from "#core/context.ts";
import { recordVerbs } from "#core/write/collection.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { gatewayCaptures } from "#tables/captures";
import { paymentIntents } from "#tables/gateway-payments";
import { gateway } from "./record.ts";
import { GatewayCreate, GatewayPatch } from "./schema.ts";
import { createGateway, requireGatewayRights, updateGateway } from "./write-gateways.ts";

const verbs = recordVerbs({
  record: gateway,
  usedBy: (id) =>
    sql`EXISTS (SELECT 1 FROM ${paymentIntents} WHERE ${paymentIntents.gatewayAccountId} = ${id})
      OR EXISTS (SELECT 1 FROM ${gatewayCaptures}
        WHERE ${gatewayCaptures.gatewayAccountId} = ${id} AND ${gatewayCaptures.intentId} IS NULL)`,
});

export const gatewayRoutes = new Router("Settings: Payment gateways", "/payment-gateways").collection({
  ids: { one: "PaymentGateway", list: "listPaymentGateways" },
  words: ["a payment gateway", "payment gateways"],
  record: gateway,
  create: GatewayCreate,
  patch: GatewayPatch,
  verbs: {
    ...verbs,
    create: createGateway,
    update: updateGateway,
    async remove(ctx: WriteCtx & OutsideCtx, params: RecordParams) {
      requireGatewayRights(ctx);
      return verbs.remove(ctx, params);
    },
  },
  problems: { create: ["currency_not_supported"], update: ["currency_not_supported"], delete: ["in_use"] },
  notes: {
    create: {
      summary: "Connect a payment gateway",
      description:
        "Point the gateway's webhook at `webhook_url`: only its events turn payments into invoices. Asks also for `payments:write`, as every write of a gateway does; the company gets a notice of one that comes beside another.",
    },
    update: {
      description:
        "Credentials are replaced as a whole; the company gets a notice of others. Asks also for `payments:write`.",
    },
    delete: {
      description:
        "Refused once a payment went through it; it can be switched off instead. Asks also for `payments:write`.",
    },
  },
});
