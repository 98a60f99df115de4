import { Router } from "#contract/operation.ts";
import { packageResource } from "#features/bookings";
import { customerResource } from "#features/customers";
import { invoiceResource } from "#features/invoices";
import { paymentResource } from "#features/payments";
import { productResource } from "#features/products";
import { RecordParams } from "#shared/fields/ids.ts";
import { cancelledOrderExample, listedOrderExample } from "./examples.ts";
import { getListedOrder, listOrders } from "./list.ts";
import { resolveOrder } from "./resolve.ts";
import { orderResource } from "./resource.ts";
import { ListedOrder, OrderQuery, ResolveOrder } from "./staff-schema.ts";
import { renderListedOrder } from "./staff-snapshot.ts";

/** The orders of all shops, for whoever works them off; a shop's own key must not list its shoppers. */
export const orderStaffRoutes = new Router("Orders")
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
      example: { query: { needs_review: "true" }, result: listedOrderExample },
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
      params: RecordParams,
      result: ListedOrder,
      example: { result: listedOrderExample },
      render: renderListedOrder,
    },
    getListedOrder,
  )
  .add(
    {
      id: "resolveOrder",
      method: "post",
      changes: [
        orderResource,
        invoiceResource,
        paymentResource,
        productResource,
        packageResource,
        customerResource,
      ],
      path: "/orders/:company/:id/resolve",
      summary: "Resolve an order that waits for somebody",
      description:
        "`invoice` makes the invoice, dated today, over the order's total: with the tax sent here, else with the one that the shop stated where a rate explains it, else with the one inside the total by the rates of the lines. A customer that was deleted is matched anew, as at checkout. `cancel` ends a draft; should its payer pay after all, the money waits in review (`effect_refused`). `dismiss` clears the review code; an order whose money waits in review is cancelled by it. It moves no money: what is owed back is given back outside, and `outside_reference` says by what. The second of two calls is answered 409.",
      scope: "orders:write",
      params: RecordParams,
      body: ResolveOrder,
      result: ListedOrder,
      problems: ["invalid_status", "version_conflict", "tax_amount_implausible", "number_exhausted"],
      example: {
        body: { action: "cancel", note: "The shopper wrote that she changed her mind." },
        result: cancelledOrderExample,
      },
      render: renderListedOrder,
    },
    resolveOrder,
  );
