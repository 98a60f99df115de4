import { Hono } from "hono";
import { receivePaymentEvent } from "#features/webhooks";
import { companyCallback } from "#http/callbacks.ts";
import { serveApiDocument, serveReference, serveWidget } from "#http/documents.ts";
import { renderError } from "#http/errors.ts";
import { hostedPage } from "#http/hosted-page.ts";
import { preflight } from "#http/origins.ts";
import { mount } from "#http/pipeline.ts";
import { jsonReply } from "#http/replies.ts";
import { logReply } from "#http/request-log.ts";
import { refuseUnrouted } from "#http/routing.ts";
import { type App, newState } from "#http/state.ts";
import { findInvoiceByToken } from "./features/invoices/page/find-by-token.ts";
import { renderInvoicePage } from "./features/invoices/page/invoice-page.tsx";
import { operations, platformOperations } from "./operations.ts";

const BASE_PATHS = ["/v1", "/api/v1"];
const VERSION = "1.0.0";
const MOST_EVENT_BYTES = 1_048_576;

export const app = new Hono<App>();

app.use(async (c, next) => {
  c.set("state", newState());
  await next();
  logReply(c);
});
app.onError(renderError);
app.notFound((c) => refuseUnrouted(app, c));

for (const base of BASE_PATHS) {
  app.options(`${base}/schools/:company/*`, preflight);
  app.get(`${base}/openapi.json`, serveApiDocument);
  mount(app, base, operations);
  app.post(
    `${base}/storefront/:company/webhook/:gateway`,
    companyCallback("paymentEvent", MOST_EVENT_BYTES, receivePaymentEvent),
  );
}
mount(app, "", platformOperations);
app.get("/i/:company/:token", hostedPage(findInvoiceByToken, renderInvoicePage));
app.get("/health", (c) => jsonReply(c, 200, { status: "ok", version: VERSION }));
app.get("/docs", (c) => serveReference(c, ""));
app.get("/docs/:file", (c) => serveReference(c, c.req.param("file")));
app.get("/widget/v1/booking-widget.js", serveWidget);
