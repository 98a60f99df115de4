import { Router } from "#api/operations/operation.ts";
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
      "`customer`, `notes`, `metadata` and `invoice_url` are shown to the key that placed the order, and to keys with `orders:read`. For another shop's key they are null.",
    scope: "storefront",
    params: OrderParams,
    result: ShopOrder,
    envelope: "success",
    example: { result: orderExample },
    render: renderShopOrder,
  },
  getOrder,
);
