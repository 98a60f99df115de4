import { Router } from "#contract/operation.ts";
import { getCatalogueProduct, listCatalogue, renderCatalogueProduct } from "./catalogue.ts";
import { checkout, renderCheckout } from "./checkout.ts";
import { catalogueExample, checkoutExample, checkoutResultExample, orderExample } from "./examples.ts";
import { getOrder, renderShopOrder } from "./order-status.ts";
import {
  CatalogueParams,
  CatalogueProduct,
  CatalogueQuery,
  Checkout,
  CheckoutResult,
  OrderParams,
  ShopOrder,
} from "./schema.ts";

const CACHED = "private, max-age=30";

export const storefrontRoutes = new Router("Storefront")
  .list(
    {
      id: "listCatalogue",
      method: "get",
      path: "/storefront/:company/products",
      summary: "List the catalogue",
      description: "Active products that are visible in the storefront, newest first.",
      scope: "storefront",
      query: CatalogueQuery,
      result: CatalogueProduct,
      envelope: "success",
      cacheControl: CACHED,
      example: { result: catalogueExample },
      render: renderCatalogueProduct,
      sort: (row) => [row.id],
    },
    listCatalogue,
  )
  .add(
    {
      id: "getCatalogueProduct",
      method: "get",
      path: "/storefront/:company/products/:productId",
      summary: "Read a product of the catalogue",
      scope: "storefront",
      params: CatalogueParams,
      result: CatalogueProduct,
      envelope: "success",
      cacheControl: CACHED,
      example: { result: catalogueExample },
      render: renderCatalogueProduct,
    },
    getCatalogueProduct,
  )
  .add(
    {
      id: "checkout",
      method: "post",
      path: "/storefront/:company/checkout",
      summary: "Check out",
      description:
        "Makes an order and opens its payment. An Idempotency-Key is ignored: a retry makes another order. The order becomes an invoice when the gateway confirms the payment.",
      scope: "storefront",
      body: Checkout,
      result: CheckoutResult,
      envelope: "flat",
      idempotent: false,
      problems: [
        "invalid_gstin",
        "gstin_state_mismatch",
        "insufficient_stock",
        "currency_not_supported",
        "payment_gateway_unavailable",
        "payment_gateway_error",
      ],
      problemStatuses: { insufficient_stock: 422 },
      example: { body: checkoutExample, result: checkoutResultExample },
      render: renderCheckout,
    },
    checkout,
  )
  .add(
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
