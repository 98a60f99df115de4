import { RULE_NAMES, RULES } from "./rules.ts";

/** The settings of a company whose rules are all off. */
export const settingsExample = {
  from_name: null,
  languages: ["en" as const, "hi" as const],
  default_language: "en" as const,
  company_recipients: ["office@school.example"],
  quiet_hours: { from: "21:00", to: "08:00" },
  daily_cap: 5_000,
  rules: RULE_NAMES.map((rule) => ({
    rule,
    channels: { email: rule === "booking_confirmed", sms: false, chatapp: false },
    audience: [...RULES[rule].to],
    hours: { booking_reminder_day: 24, booking_reminder_hours: 2 }[rule as string] ?? null,
    days: rule === "invoice_overdue" ? [3, 7, 14] : null,
  })),
};

export const loggedExample = {
  id: "12",
  rule: "booking_confirmed",
  channel: "email" as const,
  recipient: "customer",
  resource: "booking",
  record_id: "01KAJ0V5Y3Q8R6N2T4W7X9Z1BC",
  state: "sent" as const,
  reason: null,
  message_id: "msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC",
  message_status: "sent",
  count: 1,
  due_at: "2026-11-21T09:30:00.000Z",
  ended_at: "2026-11-21T09:30:01.000Z",
};

/** What stands in the places of a text's variables where there is no record. */
export const EXAMPLE_VALUES = {
  "company.name": "Coast Driving School",
  "customer.name": "Mia Chen",
  "customer.email": "mia@example.com",
  "customer.phone": "+61 412 345 678",
  "booking.number": "BK-0042",
  "booking.date": "Tuesday, 1 December 2026",
  "booking.time": "10:00",
  "booking.zone": "Australia/Sydney",
  "booking.instructor": "Priya Raman",
  "booking.place": "Strathfield",
  "booking.held": "Tuesday, 1 December 2026, 09:45",
  "booking.amount": "A$75.00",
  "booking.was": "Tuesday, 1 December 2026, 12:00",
  "booking.payment": "It is not paid yet.",
  "booking.link": "https://api.example.com/b/coast/example",
  "booking.confirm": "https://api.example.com/b/coast/example/confirm?proof=example",
  "booking.calendar": "https://api.example.com/b/coast/example/booking.ics",
  "booking.receipt": "https://api.example.com/b/coast/example/receipt",
  "payment.amount": "A$75.00",
  "payment.for": "booking BK-0042",
  "payment.rest": "A$25.00 stays paid.",
  "payment.link": "https://api.example.com/b/coast/example",
  "order.number": "ORD-0042",
  "invoice.number": "INV-0042",
  "invoice.amount": "A$75.00",
  "invoice.due": "Tuesday, 1 December 2026",
  "invoice.link": "https://api.example.com/i/coast/example",
  "credit.number": "CN-0042",
  "credit.amount": "A$75.00",
  "credit.link": "https://api.example.com/c/coast/example",
  "lead.name": "Mia Chen",
  "lead.text": "Do you teach on Sundays?",
  "lead.email": "mia@example.com",
  "lead.phone": "+61 412 345 678",
  "job.title": "Driving instructor",
  "notice.count": "3",
  "notice.list": "BK-0042, BK-0043, BK-0044",
  "notice.link": "https://api.example.com/n/coast/example",
} as const;

const writtenExample = {
  subject: "See you on {{booking.date}}",
  html: "<p>Dear {{customer.name}}, your lesson is on {{booking.date}} at {{booking.time}}.</p>",
};
export const templatePutExample = writtenExample;
export const templateExample = {
  rule: "booking_confirmed",
  channel: "email" as const,
  language: "en" as const,
  is_own: true,
  ...writtenExample,
  text: null,
  template_id: null,
  sender_id: null,
  template_name: null,
  template_language: null,
  variables: [...RULES.booking_confirmed.variables],
  updated_at: "2026-11-21T09:30:00.000Z",
};
export const previewExample = {
  subject: "See you on Tuesday, 1 December 2026",
  html: "<p>Dear Mia Chen, your lesson is on Tuesday, 1 December 2026 at 10:00.</p>",
  text: "Dear Mia Chen, your lesson is on Tuesday, 1 December 2026 at 10:00.",
};
