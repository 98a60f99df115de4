import type { Hono } from "hono";
import { SCRIPT, SCRIPT_PATH } from "#api/page-parts/script.ts";
import { hostedPage } from "#api/pages/hosted-page.ts";
import { missingPage, visitorForm, visitorPage, visitorScript } from "#api/pages/visitor-page.ts";
import type { App } from "#api/request-state.ts";
import { showFeed } from "../features/bookings/feeds/show-feed.ts";
import {
  cancelForm,
  comeBack,
  confirmForm,
  goBack,
  goToBooking,
  moveForm,
  payForm,
  showBooking,
  showCalendar,
  showConfirm,
  showMove,
  showPay,
  showReceipt,
  showRefundVoucher,
} from "../features/bookings/page/visitor.ts";
import { renderCreditNotePage } from "../features/invoices/page/credit-note-page.tsx";
import { findInvoiceByToken } from "../features/invoices/page/find-by-token.ts";
import { findCreditNoteByToken } from "../features/invoices/page/find-credit-note.ts";
import { renderInvoicePage } from "../features/invoices/page/invoice-page.tsx";
import { PRINT_SCRIPT } from "../features/invoices/page/print-button.tsx";
import { renderUnsubscribePage } from "../features/messaging/unsubscribe/page.tsx";
import { findSubscriber, unsubscribe } from "../features/messaging/unsubscribe/unsubscribe.ts";
import { showResume, showThing, thingForms } from "../features/notifications/link/visitor.ts";
import {
  comeBack as comeBackToInvoice,
  goBack as goBackToInvoice,
  payForm as payInvoiceForm,
  showPay as showInvoicePay,
} from "../features/payments/online/visitor.ts";

/** Mounts the pages that any holder of their address may see. */
export function mountPages(app: Hono<App>): void {
  const invoice = "/i/:company/:token";
  app.get(invoice, hostedPage(findInvoiceByToken, renderInvoicePage, { script: PRINT_SCRIPT }));
  app.get(`${invoice}/pay`, visitorPage(showInvoicePay));
  app.post(`${invoice}/pay`, visitorForm(payInvoiceForm));
  app.get(`${invoice}/paid`, visitorPage(goBackToInvoice));
  app.post(`${invoice}/paid`, visitorPage(comeBackToInvoice));
  app.get(
    "/c/:company/:token",
    hostedPage(findCreditNoteByToken, renderCreditNotePage, { script: PRINT_SCRIPT }),
  );
  const booking = "/b/:company/:token";
  app.get(SCRIPT_PATH, visitorScript(SCRIPT));
  app.get(booking, visitorPage(showBooking));
  app.get(`${booking}/move`, visitorPage(showMove));
  app.post(`${booking}/move`, visitorForm(moveForm));
  app.get(`${booking}/cancel`, visitorPage(goToBooking));
  app.post(`${booking}/cancel`, visitorForm(cancelForm));
  app.get(`${booking}/confirm`, visitorPage(showConfirm));
  app.post(`${booking}/confirm`, visitorForm(confirmForm));
  app.get(`${booking}/receipt`, visitorPage(showReceipt));
  app.get(`${booking}/refund-voucher`, visitorPage(showRefundVoucher));
  app.get(`${booking}/pay`, visitorPage(showPay));
  app.post(`${booking}/pay`, visitorForm(payForm));
  app.get(`${booking}/paid`, visitorPage(goBack));
  app.post(`${booking}/paid`, visitorPage(comeBack));
  app.get("/cal/:company/:token", visitorPage(showFeed, { name: "calendar", limit: 120 }));
  app.get(`${booking}/booking.ics`, visitorPage(showCalendar));
  const mailed = "/n/:company/:token";
  app.get(mailed, visitorPage(showThing));
  app.get(`${mailed}/resume`, visitorPage(showResume));
  for (const [kind, form] of Object.entries(thingForms)) app.post(`${mailed}/${kind}`, visitorForm(form));
  const form = { hasForm: true };
  app.get("/u/:company/:token", hostedPage(findSubscriber, renderUnsubscribePage, form));
  app.post("/u/:company/:token", hostedPage(unsubscribe, renderUnsubscribePage));
  app.notFound(missingPage(app));
}
