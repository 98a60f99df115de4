import { Router } from "#contract/operation.ts";
import { orderExample } from "./examples.ts";
import { getOrder, renderShopOrder } from "./get.ts";
import { OrderParams, ShopOrder } from "./schema.ts";

export const orderRoutes = new Router("Storefront").add(
  {
    id: "getOrder",
    method: "get",
    path: "/storefront/:company/order/:orderId",
    summary: "Read an order's status",
    description:
      "`customer`, `notes`, `metadata` and `invoice_url` are for the key that placed the order, and for keys that hold `orders:read` too; to another shop's key they are null.",
    scope: "storefront",
    params: OrderParams,
    result: ShopOrder,
    envelope: "success",
    example: { result: orderExample },
    render: renderShopOrder,
  },
  getOrder,
);
