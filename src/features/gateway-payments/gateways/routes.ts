import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { createGateway, deleteGateway, getGateway, listGateways, updateGateway } from "./gateways.ts";
import { GatewayCreate, GatewayPatch, PaymentGateway } from "./schema.ts";
import { renderGateway } from "./snapshot.ts";

const gatewayExample = {
  id: "1",
  kind: "razorpay" as const,
  mode: "live" as const,
  currencies: ["INR"],
  priority: 10,
  is_active: true,
  credentials: {
    key_id: { configured: true as const, last_four: "a1B2" },
    key_secret: { configured: true as const, last_four: "x9Yz" },
  },
  webhook_secret: { configured: true as const, last_four: "77aa" },
  webhook_url: "https://api.example.com/api/v1/storefront/demo-traders/webhook/razorpay",
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};
const PATH = "/settings/:company/payment-gateways";
const common = { result: PaymentGateway, render: renderGateway } as const;

export const gatewayRoutes = new Router("Settings: Payment gateways")
  .list(
    {
      ...common,
      id: "listPaymentGateways",
      method: "get",
      path: PATH,
      summary: "List payment gateways",
      scope: "settings:read",
      example: { result: gatewayExample },
      sort: (row) => [row.id],
    },
    listGateways,
  )
  .add(
    {
      ...common,
      id: "createPaymentGateway",
      method: "post",
      changes: [],
      path: PATH,
      summary: "Connect a payment gateway",
      description:
        "Point the gateway's webhook at `webhook_url`: only its events turn payments into invoices.",
      scope: "settings:write",
      body: GatewayCreate,
      status: 201,
      problems: ["currency_not_supported"],
      example: {
        body: {
          kind: "razorpay",
          mode: "live",
          currencies: ["INR"],
          priority: 10,
          credentials: { key_id: "rzp_live_8aB3cD5eF7a1B2", key_secret: "demoKeySecretx9Yz" },
          webhook_secret: "demo-webhook-secret-77aa",
        },
        result: gatewayExample,
      },
    },
    createGateway,
  )
  .add(
    {
      ...common,
      id: "getPaymentGateway",
      method: "get",
      path: `${PATH}/:id`,
      summary: "Read a payment gateway",
      scope: "settings:read",
      params: RecordParams,
      example: { result: gatewayExample },
    },
    getGateway,
  )
  .add(
    {
      ...common,
      id: "updatePaymentGateway",
      method: "patch",
      changes: [],
      path: `${PATH}/:id`,
      summary: "Change a payment gateway",
      description: "Credentials are replaced as a whole.",
      scope: "settings:write",
      params: RecordParams,
      body: GatewayPatch,
      problems: ["no_accepted_fields", "currency_not_supported"],
      example: { body: { is_active: false }, result: { ...gatewayExample, is_active: false } },
    },
    updateGateway,
  )
  .add(
    {
      id: "deletePaymentGateway",
      method: "delete",
      changes: [],
      path: `${PATH}/:id`,
      summary: "Remove a payment gateway",
      description: "Refused once a payment went through it; it can be switched off instead.",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      problems: ["in_use"],
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteGateway,
  );
