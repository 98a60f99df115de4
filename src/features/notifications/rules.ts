import type { NOTICES } from "#shared/settings.ts";
import type { FactsOf } from "./send/facts.ts";

/** Whom a notification goes to. */
export const AUDIENCES = ["customer", "instructor", "company", "lead", "applicant"] as const;
type Audience = (typeof AUDIENCES)[number];

const CUSTOMER = ["customer.name", "company.name"] as const;
const BOOKING = [
  ...CUSTOMER,
  "booking.number",
  "booking.date",
  "booking.time",
  "booking.zone",
  "booking.instructor",
  "booking.place",
  "booking.payment",
  "booking.link",
  "booking.calendar",
  "booking.receipt",
  "customer.phone",
] as const;
const INVOICE = [...CUSTOMER, "invoice.number", "invoice.amount", "invoice.due", "invoice.link"] as const;
const PAYMENT = [...CUSTOMER, "invoice.number", "payment.amount"] as const;
const CREDIT_NOTE = [...CUSTOMER, "invoice.number", "credit.number", "credit.amount", "credit.link"] as const;
const REFUND = [...CUSTOMER, "payment.amount", "payment.for", "payment.rest", "payment.link"] as const;
const LEAD = ["company.name", "lead.name", "lead.text", "lead.email", "lead.phone"] as const;
const APPLICATION = [
  "company.name",
  "customer.name",
  "customer.email",
  "customer.phone",
  "job.title",
] as const;
const HOURLY = ["company.name", "notice.count", "notice.list"] as const;
/** Leads the company's people to what the mail is about. */
const OPENS = "notice.link";

type Rule = {
  /** The kind of record it is about; null when it counts what happened in an hour. */
  about: keyof FactsOf | null;
  /** Whom it may go to; the company's own text is for the first. */
  to: readonly (Audience | "former")[];
  variables: readonly string[];
  /** Its recipient has just done what it reports. */
  ownAct?: true;
  /** Its e-mails carry the lesson's calendar file. */
  hasCalendar?: true;
};

const LESSON = {
  about: "booking",
  to: ["customer", "instructor"],
  variables: BOOKING,
  hasCalendar: true,
} as const;

/** Every rule: what its messages are about, and which variables their texts may use. Triggers make the messages. */
export const RULES = {
  booking_held: {
    about: "booking",
    to: ["customer"],
    variables: [...BOOKING, "booking.held", "booking.amount"],
    ownAct: true,
  },
  booking_requested: { about: "booking", to: ["customer", "company"], variables: BOOKING, ownAct: true },
  booking_confirmed: { ...LESSON, ownAct: true },
  booking_moved: { ...LESSON, variables: [...BOOKING, "booking.was"] },
  booking_cancelled: LESSON,
  booking_reminder_day: { about: "booking", to: ["customer"], variables: BOOKING },
  booking_reminder_hours: { about: "booking", to: ["customer"], variables: BOOKING },
  booking_refunded: { about: "booking", to: ["customer"], variables: [...BOOKING, "payment.amount"] },
  order_paid: { about: "order", to: ["customer"], variables: [...INVOICE, "order.number"], ownAct: true },
  payment_receipt: { about: "payment", to: ["customer"], variables: PAYMENT },
  invoice_overdue: { about: "invoice", to: ["customer"], variables: INVOICE },
  refund_made: { about: "payment", to: ["customer"], variables: PAYMENT },
  lead_received: { about: "lead", to: ["company"], variables: [...LEAD, OPENS] },
  lead_acknowledged: { about: "lead", to: ["lead"], variables: LEAD, ownAct: true },
  application_received: { about: "application", to: ["company"], variables: [...APPLICATION, OPENS] },
  application_acknowledged: { about: "application", to: ["applicant"], variables: APPLICATION, ownAct: true },
  order_review: { about: null, to: ["company"], variables: [...HOURLY, OPENS] },
  booking_review: { about: null, to: ["company"], variables: HOURLY },
  endpoint_disabled: { about: null, to: ["company"], variables: ["company.name", "notice.count"] },
  provider_unhealthy: { about: null, to: ["company"], variables: HOURLY },
  stock_low: { about: null, to: ["company"], variables: HOURLY },
  booking_unproven: {
    about: "booking",
    to: ["customer"],
    variables: [...BOOKING, "booking.held", "booking.confirm"],
    ownAct: true,
  },
  lead_repeated: { about: null, to: ["company"], variables: [...HOURLY, OPENS] },
  credit_note_issued: { about: "credit_note", to: ["customer"], variables: CREDIT_NOTE },
  refund_sent: { about: "refund", to: ["customer"], variables: REFUND },
  refund_failed: { about: null, to: ["company"], variables: HOURLY },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as [RuleName, ...RuleName[]];

const CHANGES = { about: null, to: ["company"], variables: ["company.name", "notice.list"] } as const;
const NOTICE_RULES: Record<(typeof NOTICES)[number], Rule> = {
  receiver_changed: { about: null, to: ["former"], variables: ["company.name"] },
  payee_changed: { ...CHANGES, variables: [...CHANGES.variables, OPENS] },
  setting_changed: CHANGES,
};

/** What is known of a rule; undefined for one of another release. */
export function ruleOf(name: string): Rule | undefined {
  return ({ ...RULES, ...NOTICE_RULES } as Record<string, Rule>)[name];
}

/** The variables of a rule's texts. What opens a thing goes by e-mail alone: numbers of phones pass to other people. */
export function variablesOf(name: string, channel: string): readonly string[] {
  const { variables = [] } = ruleOf(name) ?? {};
  return channel === "email" ? variables : variables.filter((variable) => variable !== OPENS);
}

/** Whether a reader may take a rule's messages for where to pay: all but those of leads and applications, which owe nothing. */
export function isAboutMoney(name: string): boolean {
  return !/^(lead|application)_/.test(name);
}
