import type { Defaults } from "../template.ts";
import { BUTTON } from "./styles.ts";

const LESSON = `<p><b>{{booking.date}}, {{booking.time}}</b> ({{booking.zone}})<br>
Instructor: {{booking.instructor}}<br>
Place: {{booking.place}}<br>
Booking: {{booking.number}}</p>`;
const LINK = `<p><a href="{{booking.link}}">See, move or cancel your booking</a></p>`;
const SEE = `<p><a href="{{booking.link}}">See your booking</a></p>`;
const CALENDAR = `<p><a href="{{booking.calendar}}">Add it to your calendar</a></p>`;
const RECEIPT = `<p><a href="{{booking.receipt}}">See your receipt or invoice</a></p>`;
const PAYMENT = "<p>{{booking.payment}}</p>";
const PHONE = "<p>Phone: {{customer.phone}}</p>";
const LIST = "<p>{{notice.list}}</p>";
const OPEN = `<p><a href="{{notice.link}}" ${BUTTON}>See it</a></p>`;
const DEAR = "<p>Dear {{customer.name}},</p>";
const FROM = "<p>{{company.name}}</p>";

/** The texts that go out where a company has written none of its own, in English. */
export const ENGLISH: Defaults = {
  "booking_held.customer": {
    subject: "Pay to keep your lesson on {{booking.date}}",
    html: `${DEAR}<p>We are holding this lesson for you until {{booking.held}}. Please pay {{booking.amount}} before that:</p>${LESSON}
<p><a href="{{booking.link}}" ${BUTTON}>Pay now</a></p>${FROM}`,
  },
  "booking_unproven.customer": {
    subject: "Please confirm your lesson on {{booking.date}}",
    html: `${DEAR}<p>We are holding this lesson for you until {{booking.held}}. Please confirm it before that:</p>${LESSON}
<p><a href="{{booking.confirm}}" ${BUTTON}>Confirm the lesson</a></p><p>You did not book it? Then do nothing.</p>${FROM}`,
  },
  "booking_requested.customer": {
    subject: "We have your request for {{booking.date}}",
    html: `${DEAR}<p>Thank you. We will confirm this lesson, or get in touch with you:</p>${LESSON}${LINK}${FROM}`,
  },
  "booking_requested.company": {
    subject: "New request: {{booking.date}}, {{booking.time}}, {{customer.name}}",
    html: `<p>{{customer.name}} asks for a lesson. It waits for you to confirm it.</p>${LESSON}${PHONE}`,
  },
  "booking_confirmed.customer": {
    subject: "Your lesson on {{booking.date}} at {{booking.time}} is confirmed",
    html: `${DEAR}<p>Your lesson is confirmed:</p>${LESSON}${PAYMENT}${RECEIPT}${LINK}${CALENDAR}${FROM}`,
  },
  "booking_confirmed.instructor": {
    subject: "Lesson on {{booking.date}} at {{booking.time}}: {{customer.name}}",
    html: `<p>{{customer.name}} has a lesson with you:</p>${LESSON}${PHONE}`,
  },
  "booking_moved.customer": {
    subject: "Your lesson is now on {{booking.date}} at {{booking.time}}",
    html: `${DEAR}<p>Your lesson has moved. It is now:</p>${LESSON}<p>It was: {{booking.was}}</p>${PAYMENT}${LINK}${FROM}`,
  },
  "booking_moved.instructor": {
    subject: "Lesson moved: {{booking.number}}, {{customer.name}}",
    html: `<p>The lesson of {{customer.name}} has moved. It is now:</p>${LESSON}<p>It was: {{booking.was}}</p>${PHONE}`,
  },
  "booking_cancelled.customer": {
    subject: "Your lesson on {{booking.date}} is cancelled",
    html: `${DEAR}<p>This lesson is cancelled:</p>${LESSON}${PAYMENT}${SEE}${FROM}`,
  },
  "booking_cancelled.instructor": {
    subject: "Lesson cancelled: {{booking.date}}, {{booking.time}}, {{customer.name}}",
    html: `<p>This lesson of {{customer.name}} is cancelled:</p>${LESSON}`,
  },
  "booking_reminder_day.customer": {
    subject: "Reminder: your lesson on {{booking.date}} at {{booking.time}}",
    html: `${DEAR}<p>This is a reminder of your lesson:</p>${LESSON}${LINK}${FROM}`,
  },
  "booking_reminder_hours.customer": {
    subject: "Your lesson begins at {{booking.time}}",
    html: `${DEAR}<p>Your lesson begins soon:</p>${LESSON}${LINK}${FROM}`,
  },
  "booking_refunded.customer": {
    subject: "We have refunded {{payment.amount}}",
    html: `${DEAR}<p>We have refunded {{payment.amount}} for booking {{booking.number}}.</p>${FROM}`,
  },
  "order_paid.customer": {
    subject: "Thank you for your order {{order.number}}",
    html: `${DEAR}<p>We have received your payment of {{invoice.amount}} for order {{order.number}}.</p>
<p><a href="{{invoice.link}}">See invoice {{invoice.number}}</a></p>${FROM}`,
  },
  "payment_receipt.customer": {
    subject: "We have received {{payment.amount}}",
    html: `${DEAR}<p>Thank you for your payment of {{payment.amount}} for invoice {{invoice.number}}.</p>${FROM}`,
  },
  "invoice_overdue.customer": {
    subject: "Invoice {{invoice.number}} was due on {{invoice.due}}",
    html: `${DEAR}<p>{{invoice.amount}} of invoice {{invoice.number}} was due on {{invoice.due}}. If you have paid meanwhile, please ignore this message.</p>
<p><a href="{{invoice.link}}">See the invoice</a></p>${FROM}`,
  },
  "refund_made.customer": {
    subject: "We have refunded {{payment.amount}}",
    html: `${DEAR}<p>We have refunded your payment of {{payment.amount}} for invoice {{invoice.number}}.</p>${FROM}`,
  },
  "credit_note_issued.customer": {
    subject: "Credit note {{credit.number}} of {{credit.amount}}",
    html: `${DEAR}<p>We have credited {{credit.amount}} of invoice {{invoice.number}}. What was due of it falls; the rest is your credit.</p>
<p><a href="{{credit.link}}">See the credit note</a></p>${FROM}`,
  },
  "refund_sent.customer": {
    subject: "We have sent {{payment.amount}} back to you",
    html: `${DEAR}<p>We have sent {{payment.amount}} back to you. It goes to the account or card that you paid from. Your bank may take some days to show it.</p>
<p>You had paid it for {{payment.for}}.</p><p>{{payment.rest}}</p><p><a href="{{payment.link}}">See the details</a></p>${FROM}`,
  },
  "refund_failed.company": {
    subject: "Refunds that failed: {{notice.count}}",
    html: `<p>Refunds of {{company.name}} failed: {{notice.count}} in the last hour. The money is still owed. Retry each refund, or pay the money back in another way.</p>${LIST}`,
  },
  "lead_received.company": {
    subject: "New enquiry from {{lead.name}}",
    html: `<p>{{lead.name}} has written to you:</p><p>{{lead.text}}</p><p>E-mail: {{lead.email}}<br>Phone: {{lead.phone}}<br></p>${OPEN}`,
  },
  "lead_acknowledged.lead": {
    subject: "We have your message",
    html: `<p>Dear {{lead.name}},</p><p>Thank you for your message. We will answer it soon.</p>${FROM}`,
  },
  "application_received.company": {
    subject: "New application: {{job.title}}, {{customer.name}}",
    html: `<p>{{customer.name}} has applied for the job {{job.title}}.</p><p>E-mail: {{customer.email}}<br>Phone: {{customer.phone}}<br></p>${OPEN}`,
  },
  "application_acknowledged.applicant": {
    subject: "Your application: {{job.title}}",
    html: `${DEAR}<p>Thank you for applying for the job {{job.title}}. We have your application and will get in touch with you.</p>${FROM}`,
  },
  "order_review.company": {
    subject: "Orders to look at: {{notice.count}}",
    html: `<p>Orders of {{company.name}} need review. {{notice.count}} in the last hour.</p>${LIST}${OPEN}`,
  },
  "booking_review.company": {
    subject: "Bookings to look at: {{notice.count}}",
    html: `<p>Bookings of {{company.name}} need review. {{notice.count}} in the last hour.</p>${LIST}`,
  },
  "endpoint_disabled.company": {
    subject: "Event endpoints that are disabled: {{notice.count}}",
    html: `<p>Event endpoints of {{company.name}} fail, and are disabled: {{notice.count}} in the last hour. They get no events until you set them active again.</p>`,
  },
  "provider_unhealthy.company": {
    subject: "Message providers that fail: {{notice.count}}",
    html: `<p>Message providers of {{company.name}} fail, and are paused: {{notice.count}} in the last hour.</p>${LIST}`,
  },
  "stock_low.company": {
    subject: "Products that are low in stock: {{notice.count}}",
    html: `<p>Products of {{company.name}} are low in stock: {{notice.count}} since an hour ago.</p>${LIST}`,
  },
  "lead_repeated.company": {
    subject: "More messages of open enquiries: {{notice.count}}",
    html: `<p>More messages have come to open enquiries of {{company.name}}: {{notice.count}} in the last hour.</p>${LIST}${OPEN}`,
  },
  "receiver_changed.former": {
    subject: "Notifications of {{company.name}} go to another address",
    html: "<p>A person who manages {{company.name}} has changed or added an e-mail address or a phone number that its notifications go to. Until now they came to you; they may come to you no longer.</p><p>If you did not expect this, ask the owner of the account to look at its API keys.</p>",
  },
  "payee_changed.company": {
    subject: "Payments to {{company.name}} may go to another account",
    html: `<p>The UPI id or the bank account of {{company.name}}, or an account of its payment gateways, was changed. What customers pay may go to another account from now on.</p>${LIST}${OPEN}<p>Each line names who did it, with the id of its API key. If you did not expect this, ask the owner of the account to revoke that key.</p>`,
  },
  "setting_changed.company": {
    subject: "Settings of {{company.name}} were changed",
    html: `<p>API keys of {{company.name}}, or settings that decide where its mails and its data go, were changed.</p>${LIST}<p>Each line names who did it, with the id of its API key. If you did not expect this, ask the owner of the account to revoke that key.</p>`,
  },
};
