/** The limits of what strangers cause: those whom neither a payment nor a mail proves, by a browser, a page or a form. */
export const STRANGER_LIMITS = {
  /** Moves of a booking by its visitor until it is paid or proven. */
  moves: 3,
  /** Messages on a channel to the customer of such a booking before what its visitor does is reported no more. */
  messagesOfBooking: 1,
  /** Messages in an hour to one address or number that was typed by a stranger, and to one of the company's own. */
  receiverHour: 5,
  ownReceiverHour: 60,
  /** What they have together of the company's cap of a day. */
  partOfDay: 0.5,
} as const;

/**
 * Who causes a notification: `stranger` always one; `visitor` one where nothing proves the booking; `payer` who has paid,
 * which bounds it but for the receiver's hour; `company` its staff, its gateways and the clock.
 */
type Cause = "stranger" | "visitor" | "payer" | "company";

/** Who causes each notification: those of strangers have all limits. */
export const NOTIFICATION_CAUSES: Readonly<Record<string, Cause>> = {
  booking_held: "visitor",
  booking_unproven: "visitor",
  booking_requested: "visitor",
  booking_confirmed: "visitor",
  booking_moved: "visitor",
  booking_cancelled: "visitor",
  booking_reminder_day: "visitor",
  booking_reminder_hours: "visitor",
  lead_received: "stranger",
  lead_acknowledged: "stranger",
  lead_repeated: "stranger",
  application_received: "stranger",
  application_acknowledged: "stranger",
  order_paid: "payer",
  payment_receipt: "company",
  booking_refunded: "company",
  refund_made: "company",
  refund_sent: "company",
  refund_failed: "company",
  credit_note_issued: "company",
  invoice_overdue: "company",
  order_review: "company",
  booking_review: "company",
  endpoint_disabled: "company",
  provider_unhealthy: "company",
  stock_low: "company",
  receiver_changed: "company",
  payee_changed: "company",
  setting_changed: "company",
};

/** What bounds a door beside the limits of its notifications: a code that it answers, or that it acts once, or on what is signed or paid. */
type Bound =
  | "too_many_holds"
  | "too_many_moves"
  | "duplicate_application"
  | "rate"
  | "once"
  | "signed"
  | "paid";
type Door = { sends: readonly string[]; bound: Bound };

/** What strangers can do: by operations, by pages, and by callbacks; and which notifications that causes. */
export const STRANGER_DOORS: Readonly<Record<string, Door>> = {
  createBooking: {
    sends: ["booking_held", "booking_unproven", "booking_requested", "booking_confirmed"],
    bound: "too_many_holds",
  },
  rescheduleBooking: { sends: ["booking_moved"], bound: "too_many_moves" },
  cancelBooking: { sends: ["booking_cancelled"], bound: "once" },
  payBooking: { sends: ["booking_held", "booking_requested"], bound: "rate" },
  captureLead: { sends: ["lead_received", "lead_acknowledged", "lead_repeated"], bound: "rate" },
  applyForJob: {
    sends: ["application_received", "application_acknowledged"],
    bound: "duplicate_application",
  },
  checkout: { sends: ["order_paid"], bound: "paid" },
  "POST /b/:company/:token/move": { sends: ["booking_moved"], bound: "too_many_moves" },
  "POST /b/:company/:token/cancel": { sends: ["booking_cancelled"], bound: "once" },
  "POST /b/:company/:token/confirm": { sends: ["booking_confirmed"], bound: "once" },
  "POST /b/:company/:token/pay": { sends: ["booking_held", "booking_requested"], bound: "rate" },
  "POST /b/:company/:token/paid": { sends: ["booking_confirmed"], bound: "paid" },
  "POST /i/:company/:token/pay": { sends: [], bound: "rate" },
  "POST /i/:company/:token/paid": { sends: [], bound: "paid" },
  "POST /u/:company/:token": { sends: [], bound: "once" },
  "POST /n/:company/:token/lead": { sends: [], bound: "signed" },
  "POST /n/:company/:token/application": { sends: [], bound: "signed" },
  "POST /n/:company/:token/order": { sends: ["order_paid"], bound: "signed" },
  "POST /storefront/:company/webhook/:gateway": {
    sends: ["booking_confirmed", "order_paid"],
    bound: "signed",
  },
  "ALL /mcp": { sends: [], bound: "rate" },
  "POST /webhooks/chatapp": { sends: [], bound: "signed" },
  "GET /webhooks/sms/:company/:kind/:token": { sends: [], bound: "signed" },
  "POST /webhooks/sms/:company/:kind/:token": { sends: [], bound: "signed" },
  "POST /webhooks/email/:company/:kind/:token": { sends: [], bound: "signed" },
};

const causedBy = (...causes: readonly Cause[]) =>
  Object.keys(NOTIFICATION_CAUSES).filter((rule) => causes.includes(NOTIFICATION_CAUSES[rule] ?? "company"));

/** The rules whose messages strangers always cause, may cause by a booking, and cause in any way. */
export const BY_STRANGERS = causedBy("stranger");
export const BY_VISITORS = causedBy("visitor");
export const IN_RECEIVER_HOUR = causedBy("stranger", "visitor", "payer");
