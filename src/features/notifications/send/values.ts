import type { OutsideCtx, ReadCtx } from "#platform/context.ts";
import { ruleOf } from "../rules.ts";
import type { Language } from "../tables.ts";
import type { Values } from "../template.ts";
import type {
  ApplicationFacts,
  BookingFacts,
  Facts,
  InvoiceFacts,
  LeadFacts,
  OrderFacts,
  PaymentFacts,
} from "./find-due.ts";
import { dateIn, moneyIn, timeAt } from "./formats.ts";

type Said = { rule: string; facts: Facts | null; count: number };
type Told = { language: Language; companyName: string; isForStranger?: boolean };
type PageCtx = Pick<OutsideCtx & ReadCtx, "origin" | "company">;

/** What stands in the place of each variable of a rule, in a language, and in the record's own zone. */
export function valuesOf(
  ctx: PageCtx,
  { rule, facts, count }: Said,
  { language, companyName, isForStranger = false }: Told,
): Values {
  const typed = isForStranger ? withoutLinks : (text: string) => text;
  const common = { "company.name": companyName, "notice.count": String(count) };
  if (facts === null) return common;
  const customer = { ...common, "customer.name": typed(facts.person?.name ?? "") };
  switch (ruleOf(rule)?.about) {
    case "booking":
      return { ...customer, ...ofBooking(ctx, facts as BookingFacts, language, typed) };
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
    case "invoice":
      return { ...customer, ...ofInvoice(ctx, facts as InvoiceFacts, language) };
    case "lead": {
      const { person, text } = facts as LeadFacts;
      return { ...common, "lead.name": typed(person.name), "lead.text": typed(text ?? "") };
    }
    default:
      return { ...customer, "job.title": (facts as ApplicationFacts).job };
  }
}

function ofBooking(
  { origin, company }: PageCtx,
  booking: BookingFacts,
  language: Language,
  typed: (text: string) => string,
): Values {
  const link = `${origin}/b/${company.slug}/${booking.token ?? ""}`;
  const place = [booking.place, booking.city].filter(Boolean).join(", ");
  const { hold_expires_at: heldUntil, timezone } = booking;
  return {
    "booking.number": booking.number,
    "booking.date": dateIn(language, booking.date),
    "booking.time": booking.time,
    "booking.zone": timezone,
    "booking.instructor": booking.instructor_name,
    "booking.place": typed(booking.pickup ?? "") || place || "–",
    "booking.link": link,
    "booking.calendar": `${link}/booking.ics`,
    "booking.held": heldUntil === null ? "" : timeAt(heldUntil, timezone),
    "payment.amount": moneyIn(language, booking.amount, booking.currency),
  };
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

// What mail programs make a link of: an address with its scheme or www, or a domain in small letters.
const LINK = /\/\/|[Ww]{3}\.|[\p{L}\d-]{2}\.\p{Ll}{2}/u;

/** What somebody typed about themselves, without the words that are links: the mail may go to somebody else. */
export function withoutLinks(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !LINK.test(word))
    .join(" ");
}
