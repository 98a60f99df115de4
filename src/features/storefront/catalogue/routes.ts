import { Router } from "#api/operations/operation.ts";
import { getCatalogueProduct, listCatalogue, renderCatalogueProduct } from "./catalogue.ts";
import { catalogueExample } from "./examples.ts";
import { CatalogueParams, CatalogueProduct, CatalogueQuery } from "./schema.ts";

const CACHED = "private, max-age=30";

export const catalogueRoutes = new Router("Storefront")
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
  );
