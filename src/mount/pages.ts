import type { Hono } from "hono";
import { hostedPage } from "#http/pages/hosted-page.ts";
import type { App } from "#http/request-state.ts";
import { findInvoiceByToken } from "../features/invoices/page/find-by-token.ts";
import { renderInvoicePage } from "../features/invoices/page/invoice-page.tsx";

/** Mounts the pages that whoever has their address may see. */
export function mountPages(app: Hono<App>): void {
  app.get("/i/:company/:token", hostedPage(findInvoiceByToken, renderInvoicePage));
}
