import { Router } from "#contract/operation.ts";
import { orderExample } from "../examples.ts";
import { getListedOrder, listOrders } from "./list.ts";
import { resolveOrder } from "./resolve.ts";
import { ListedOrder, ListedOrderParams, OrderQuery, ResolveOrder } from "./schema.ts";
import { renderListedOrder } from "./snapshot.ts";

const example = {
  ...orderExample,
  id: "12",
  customer_id: "42",
  needs_review: false,
  review_code: null,
  reviewed_at: null,
  oversold: false,
  overcaptured_amount: 0,
  outside_reference: null,
  payments: [
    {
      gateway: orderExample.gateway,
      status: "paid" as const,
      amount: orderExample.total_amount,
      currency: orderExample.currency,
      gateway_order_id: "order_R1b2C3d4E5f6G7",
      gateway_payment_id: "pay_R1b2H8i9J0k1L2",
      other_payment_ids: [],
      created_at: orderExample.created_at,
      paid_at: orderExample.paid_at,
    },
  ],
  updated_at: orderExample.paid_at,
};
const cancelled = {
  ...example,
  status: "cancelled" as const,
  payment_status: "unpaid" as const,
  invoice_id: null,
  invoice_number: null,
  invoice_url: null,
  reviewed_at: orderExample.paid_at,
  paid_at: null,
  payments: example.payments.map((payment) => ({
    ...payment,
    status: "created" as const,
    gateway_payment_id: null,
    paid_at: null,
  })),
};

/** The orders of all shops, for whoever works them off; a shop's own key must not list its shoppers. */
export const orderRoutes = new Router("Orders")
  .list(
    {
      id: "listOrders",
      method: "get",
      path: "/orders/:company",
      summary: "List the orders",
      description:
        "Newest first, of all shops. `needs_review` lists what somebody has to look at, `needs_refund` to whom money is owed.",
      scope: "orders:read",
      query: OrderQuery,
      result: ListedOrder,
      example: { query: { needs_review: "true" }, result: example },
      render: renderListedOrder,
      sort: (row) => [row.created_at, row.id],
    },
    listOrders,
  )
  .add(
    {
      id: "getListedOrder",
      method: "get",
      path: "/orders/:company/:id",
      summary: "Read an order with its payments",
      scope: "orders:read",
      params: ListedOrderParams,
      result: ListedOrder,
      example: { result: example },
      render: renderListedOrder,
    },
    getListedOrder,
  )
  .add(
    {
      id: "resolveOrder",
      method: "post",
      path: "/orders/:company/:id/resolve",
      summary: "Settle an order that waits for somebody",
      description:
        "`invoice` makes the invoice, dated today, over the order's total: with the tax sent here, else with the one that the shop stated where a rate explains it, else with the one inside the total by the rates of the lines. A customer that was deleted is matched anew, as at checkout. `cancel` ends a draft; should its payer pay after all, the money waits in review (`effect_refused`). `dismiss` clears the review code; an order whose money waits in review is cancelled by it. It moves no money: what is owed back is given back outside, and `outside_reference` says by what. The second of two calls is answered 409.",
      scope: "orders:write",
      params: ListedOrderParams,
      body: ResolveOrder,
      result: ListedOrder,
      problems: ["invalid_status", "version_conflict", "tax_amount_implausible", "number_exhausted"],
      example: {
        body: { action: "cancel", note: "The shopper wrote that she changed her mind." },
        result: cancelled,
      },
      render: renderListedOrder,
    },
    resolveOrder,
  );
