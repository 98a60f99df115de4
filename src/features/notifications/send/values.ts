import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import type { Language } from "#shared/text/language.ts";
import { withoutLinks } from "#shared/text/without-links.ts";
import { SENTENCES } from "../defaults/sentences.ts";
import { ruleOf } from "../rules.ts";
import type { Values } from "../template.ts";
import type {
  ApplicationFacts,
  BookingFacts,
  CreditNoteFacts,
  Facts,
  InvoiceFacts,
  LeadFacts,
  OrderFacts,
  PaymentFacts,
  RefundFacts,
} from "./facts.ts";
import type { DueNotification } from "./find-due.ts";
import { dateIn, momentIn, moneyIn } from "./formats.ts";

type Said = { rule: string; facts: Facts | null; count: number } & Partial<
  Pick<DueNotification, "was_date" | "was_time" | "listed">
>;
type Told = { language: Language; companyName: string; isForStranger?: boolean };
type PageCtx = Pick<OutsideCtx & ReadCtx, "origin" | "company">;

/** What stands in the place of each variable of a rule, in a language, and in the record's own zone. */
export function valuesOf(
  ctx: PageCtx,
  { rule, facts, count, listed, ...was }: Said,
  { language, companyName, isForStranger = false }: Told,
): Values {
  const typed = isForStranger ? withoutLinks : (text: string) => text;
  const common = { "company.name": companyName };
  if (facts === null)
    return { ...common, "notice.count": String(count), "notice.list": (listed ?? []).join(", ") };
  const customer = { ...common, "customer.name": typed(facts.person?.name ?? "") };
  switch (ruleOf(rule)?.about) {
    case "booking":
      return { ...customer, ...ofBooking(ctx, { ...(facts as BookingFacts), ...was }, language, typed) };
    case "order": {
      const { number, total_amount, currency } = facts as OrderFacts;
      const amount = { "invoice.amount": moneyIn(language, total_amount, currency) };
      return {
        ...customer,
        ...ofInvoice(ctx, facts as OrderFacts, language),
        ...amount,
        "order.number": number,
      };
    }
    case "payment": {
      const { amount, currency } = facts as PaymentFacts;
      const paid = { "payment.amount": moneyIn(language, amount, currency) };
      return { ...customer, ...ofInvoice(ctx, facts as PaymentFacts, language), ...paid };
    }
    case "credit_note": {
      const {
        credit_note_number: number,
        credit_note_token: token,
        amount,
        currency,
      } = facts as CreditNoteFacts;
      const credited = {
        "credit.number": number,
        "credit.amount": moneyIn(language, amount, currency),
        "credit.link": `${ctx.origin}/c/${ctx.company.slug}/${token}`,
      };
      return { ...customer, ...ofInvoice(ctx, facts as CreditNoteFacts, language), ...credited };
    }
    case "refund": {
      const { amount, currency, paid_for: number } = facts as RefundFacts;
      const sent = { "payment.amount": moneyIn(language, amount, currency), "payment.for": number ?? "" };
      return { ...customer, ...sent };
    }
    case "invoice":
      return { ...customer, ...ofInvoice(ctx, facts as InvoiceFacts, language) };
    case "lead": {
      const { person, text } = facts as LeadFacts;
      const written = { "lead.name": typed(person.name), "lead.text": typed(text ?? "") };
      return { ...common, ...written, "lead.email": person.email ?? "", "lead.phone": person.phone ?? "" };
    }
    default: {
      const { person, job } = facts as ApplicationFacts;
      const contact = { "customer.email": person.email ?? "", "customer.phone": person.phone ?? "" };
      return { ...customer, ...contact, "job.title": job };
    }
  }
}

function ofBooking(
  { origin, company }: PageCtx,
  booking: BookingFacts & Pick<Said, "was_date" | "was_time">,
  language: Language,
  typed: (text: string) => string,
): Values {
  const link = `${origin}/b/${company.slug}/${booking.token}`;
  const place = [booking.place, booking.city].filter(Boolean).join(", ");
  const { timezone, was_date: wasDate, was_time: wasTime } = booking;
  return {
    "booking.number": booking.number,
    "booking.date": dateIn(language, booking.date),
    "booking.time": booking.time,
    "booking.zone": timezone,
    "booking.instructor": booking.instructor_name,
    "booking.place": typed(booking.pickup ?? "") || place,
    "booking.was": wasDate && wasTime ? `${dateIn(language, wasDate)}, ${wasTime}` : "",
    "booking.payment": paymentOf(booking, language),
    "booking.link": pageOf(link, language),
    "booking.confirm": `${link}/confirm?${new URLSearchParams({ proof: booking.proof ?? "", ...(language === "en" ? {} : { lang: language }) })}`,
    "booking.calendar": `${link}/booking.ics`,
    "booking.receipt":
      booking.payment_status === "paid" && booking.amount > 0 ? pageOf(`${link}/receipt`, language) : "",
    "booking.held": heldUntil(booking, language),
    "customer.phone": booking.person.phone ?? "",
    "payment.amount": moneyIn(language, booking.amount, booking.currency),
  };
}

function pageOf(link: string, language: Language): string {
  return language === "en" ? link : `${link}?lang=${language}`;
}

function heldUntil({ hold_expires_at: until, timezone }: BookingFacts, language: Language): string {
  return until === null ? "" : momentIn(language, until, timezone);
}

/** How the payment of a lesson stands, where there is anything to say. */
function paymentOf(booking: BookingFacts, language: Language): string {
  const { payBefore, unpaid, refundDue, refunded } = SENTENCES[language];
  const { status, payment_status: paid, hold_expires_at: until, currency } = booking;
  const { amount, refunded_amount: back } = booking;
  // What came twice can be back already, and the price be due all the same.
  if (paid === "refund_due")
    return refundDue(moneyIn(language, back < amount ? amount - back : amount, currency));
  if (paid === "refunded") return refunded(moneyIn(language, amount, currency));
  if (paid !== "unpaid") return "";
  if (status === "pending" && until !== null) return payBefore(heldUntil(booking, language));
  return status === "confirmed" ? unpaid : "";
}

function ofInvoice(
  { origin, company }: PageCtx,
  invoice: Omit<InvoiceFacts, "person">,
  language: Language,
): Values {
  return {
    "invoice.number": invoice.invoice_number,
    "invoice.amount": moneyIn(language, invoice.amount_due, invoice.currency),
    "invoice.due": dateIn(language, invoice.due_date),
    "invoice.link": `${origin}/i/${company.slug}/${invoice.invoice_token}`,
  };
}
