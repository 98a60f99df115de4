import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { type MoneyBack, moneyBackOf } from "#features/bookings";
import type { Language } from "#shared/text/language.ts";
import { withoutLinks } from "#shared/text/without-links.ts";
import { SENTENCES } from "../defaults/sentences.ts";
import { ruleOf } from "../rules.ts";
import type { Values } from "../template.ts";
import type { Facts, FactsOf } from "./facts.ts";
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
  // A link is made for the mail alone that goes out.
  const common = { "company.name": companyName, "notice.link": "" };
  if (facts === null)
    return { ...common, "notice.count": String(count), "notice.list": (listed ?? []).join(", ") };
  const customer = { ...common, "customer.name": typed(facts.person?.name ?? "") };
  const money = (minor: number) => moneyIn(language, minor, (facts as FactsOf["invoice"]).currency);
  const invoiced = () => ({ ...customer, ...ofInvoice(ctx, facts as FactsOf["invoice"], language) });
  switch (ruleOf(rule)?.about) {
    case "booking": {
      const booking = { ...(facts as FactsOf["booking"]), ...was };
      return { ...customer, ...ofBooking(ctx, booking, language, typed) };
    }
    case "order": {
      const { number, total_amount: total } = facts as FactsOf["order"];
      return { ...invoiced(), "invoice.amount": money(total), "order.number": number };
    }
    case "payment":
      return { ...invoiced(), "payment.amount": money((facts as FactsOf["payment"]).amount) };
    case "credit_note": {
      const note = facts as FactsOf["credit_note"];
      return {
        ...invoiced(),
        "credit.number": note.credit_note_number,
        "credit.amount": money(note.amount),
        "credit.link": `${ctx.origin}/c/${ctx.company.slug}/${note.credit_note_token}`,
      };
    }
    case "refund":
      return { ...customer, ...ofRefund(ctx, facts as FactsOf["refund"], language) };
    case "invoice":
      return invoiced();
    case "lead": {
      const { person, text } = facts as FactsOf["lead"];
      const written = { "lead.name": typed(person.name), "lead.text": typed(text ?? "") };
      const contact = { "lead.email": person.email ?? "", "lead.phone": typed(person.phone ?? "") };
      return { ...common, ...written, ...contact };
    }
    default: {
      const { person, job } = facts as FactsOf["application"];
      const contact = { "customer.email": person.email ?? "", "customer.phone": typed(person.phone ?? "") };
      return { ...customer, ...contact, "job.title": job };
    }
  }
}

function ofBooking(
  { origin, company }: PageCtx,
  booking: FactsOf["booking"] & Pick<Said, "was_date" | "was_time">,
  language: Language,
  typed: (text: string) => string,
): Values {
  const link = `${origin}/b/${company.slug}/${booking.token}`;
  const place = [booking.place, booking.city].filter(Boolean).join(", ");
  const { timezone, was_date: wasDate, was_time: wasTime } = booking;
  const { paidBack, givenByHand } = moneyBackOf(booking);
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
    "booking.amount": moneyIn(language, booking.amount, booking.currency),
    "customer.phone": typed(booking.person.phone ?? ""),
    "payment.amount": moneyIn(language, givenByHand > 0 ? givenByHand : paidBack, booking.currency),
  };
}

/** A page in the language of the mail that leads to it. */
export function pageOf(link: string, language: Language): string {
  return language === "en" ? link : `${link}?lang=${language}`;
}

function heldUntil({ hold_expires_at: until, timezone }: FactsOf["booking"], language: Language): string {
  return until === null ? "" : momentIn(language, until, timezone);
}

/** How the payment of a lesson stands; of one that costs nothing there is nothing to say. */
function paymentOf(booking: FactsOf["booking"], language: Language): string {
  const { payBefore, unpaid, received, refunded } = SENTENCES[language];
  const { status, payment_status: paid, hold_expires_at: until, currency } = booking;
  // Money of another amount leaves a booking unpaid; once it is cancelled, it goes back.
  if (paid !== "unpaid" || (status === "cancelled" && moneyDueOf(booking) > 0)) {
    const back = backOf(booking);
    const sentences = [
      ...(back > 0 ? [refunded(moneyIn(language, back, currency))] : []),
      restOf(booking, currency, language),
    ].filter(Boolean);
    const { stays } = moneyBackOf(booking);
    if (sentences.length === 0 && stays > 0) return received(moneyIn(language, stays, currency));
    return sentences.join(" ");
  }
  if (status === "pending" && until !== null) return payBefore(heldUntil(booking, language));
  return status === "confirmed" ? unpaid : "";
}

/** What the school has paid back of a lesson's money. */
export function backOf(booking: MoneyBack): number {
  const { paidBack, givenByHand } = moneyBackOf(booking);
  return paidBack + givenByHand;
}

/** What the school pays back yet of a lesson's money, or what stays paid once a part went back. */
function restOf(booking: MoneyBack, currency: string, language: Language, isAfterAnother = false): string {
  const { refundDue, refundDueToo, staysPaid } = SENTENCES[language];
  const comes = isAfterAnother ? refundDueToo : refundDue;
  const { paidBack, byBank, stays } = moneyBackOf(booking);
  const due = moneyDueOf(booking);
  const isPart = stays > 0 && paidBack + due + byBank > 0;
  return [
    ...(due > 0 ? [comes(moneyIn(language, due, currency))] : []),
    ...(isPart ? [staysPaid(moneyIn(language, stays, currency))] : []),
  ].join(" ");
}

/** What the school pays back yet of a lesson's money, in minor units. */
function moneyDueOf(booking: MoneyBack): number {
  const { onItsWay, toSend, due } = moneyBackOf(booking);
  return onItsWay + toSend + due;
}

function ofRefund({ origin, company }: PageCtx, refund: FactsOf["refund"], language: Language): Values {
  const { amount, currency, booking, stays_paid: rest } = refund;
  const { booking_number: lesson, order_number: order, invoice_number: invoice } = refund;
  const { booking_token: page, invoice_token: paper } = refund;
  const { paidFor, staysPaid } = SENTENCES[language];
  const named = [lesson && paidFor.booking(lesson), order && paidFor.order(order)].find(Boolean);
  const stays = rest !== null && rest > 0 ? staysPaid(moneyIn(language, rest, currency)) : "";
  const path = page === null ? paper && `/i/${company.slug}/${paper}` : `/b/${company.slug}/${page}`;
  return {
    "payment.amount": moneyIn(language, amount, currency),
    "payment.for": named ?? (invoice === null ? "" : paidFor.invoice(invoice)),
    "payment.rest": booking === null ? stays : restOf(booking, currency, language, true),
    "payment.link": path === null ? "" : pageOf(origin + path, language),
  };
}

function ofInvoice(
  { origin, company }: PageCtx,
  invoice: Omit<FactsOf["invoice"], "person">,
  language: Language,
): Values {
  return {
    "invoice.number": invoice.invoice_number,
    "invoice.amount": moneyIn(language, invoice.amount_due, invoice.currency),
    "invoice.due": dateIn(language, invoice.due_date),
    "invoice.link": `${origin}/i/${company.slug}/${invoice.invoice_token}`,
  };
}
