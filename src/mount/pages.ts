import type { Hono } from "hono";
import { hostedPage } from "#http/pages/hosted-page.ts";
import type { App } from "#http/request-state.ts";
import { findInvoiceByToken } from "../features/invoices/page/find-by-token.ts";
import { renderInvoicePage } from "../features/invoices/page/invoice-page.tsx";
import { renderUnsubscribePage } from "../features/messaging/unsubscribe/page.tsx";
import { findSubscriber, unsubscribe } from "../features/messaging/unsubscribe/unsubscribe.ts";

/** Mounts the pages that whoever has their address may see. */
export function mountPages(app: Hono<App>): void {
  app.get("/i/:company/:token", hostedPage(findInvoiceByToken, renderInvoicePage));
  const form = { hasForm: true };
  app.get("/u/:company/:token", hostedPage(findSubscriber, renderUnsubscribePage, form));
  app.post("/u/:company/:token", hostedPage(unsubscribe, renderUnsubscribePage));
}
