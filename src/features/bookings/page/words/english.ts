import { stateName } from "#shared/places/states.ts";

/** The texts of the booking's pages. `name` is the customer's first one after a space, or empty. */
export const ENGLISH = {
  locale: "en-GB",
  localTime: "{time} your time",
  questions: (school: string) => `Questions? Contact ${school}:`,
  lesson: "Lesson",
  date: "Date",
  time: "Time",
  between: (start: string, end: string) => `${start} to ${end}`,
  instructor: "Instructor",
  place: "Place",
  price: "Price",
  isPaid: (price: string) => `${price}, paid`,
  number: "Booking number",

  papers: { invoice: "Invoice", receipt: "Receipt" },
  receipt: "Receipt",
  receiptVoucher: "Receipt voucher",
  refundVoucher: "Refund voucher",
  receiptNumber: "Receipt number",
  receiptDate: "Date of receipt",
  receivedFrom: "Received from",
  receivedBy: "Received by",
  voucherNumber: "Voucher number",
  voucherDate: "Date of voucher",
  supplier: "Supplier",
  recipient: "Recipient",
  refundAmount: "Amount of refund",

  taxCode: "SAC",
  placeOfSupply: "Place of supply",
  state: (code: string) => stateName(code) ?? "State",
  taxNumber: "Tax number",
  beforeTax: "Amount before tax",
  tax: (name: string, rate: string) => `${name} at ${rate}%`,
  anyTax: "Tax",
  received: "Received",
  signatory: (seller: string) => `Authorised signatory, for ${seller}`,
  noReverseCharge: "Tax is not payable on reverse charge.",
  replaced:
    "This receipt no longer counts: its money goes or went back to you, or an invoice took its place.",

  payNow: "Pay now",
  move: "Choose another time",
  addToCalendar: "Add to calendar",
  movableUntil: (hours: number) => `Online, a lesson can be moved until ${hours} hours before it starts.`,
  cancel: "Cancel this lesson",
  reason: "Reason (not required)",
  cancelNow: "Cancel the lesson",
  backUntil: (amount: string, hours: number) =>
    hours === 0
      ? `Cancel before the lesson starts, and you get ${amount} back.`
      : `Cancel at least ${hours} hours before the lesson starts, and you get ${amount} back.`,
  comesBack: (amount: string) => `You get ${amount} back, the way that you paid.`,
  refunded: (school: string, amount: string) => `${school} will pay ${amount} back.`,
  backToBooking: "Back to the booking",

  dates: "Dates",
  earlierDates: "Earlier dates",
  laterDates: "Later dates",
  moveNow: "Move the lesson",
  moved: "The lesson has moved to this time.",
  noTimes: (instructor: string) => `${instructor} has no free time at the moment.`,

  pay: "Pay for your lesson",
  goToPayment: "Go to the payment",

  awaited: "Payment on its way",
  awaitedText:
    "We are waiting for the payment service to confirm your payment. This page looks again by itself.",
  /** Money that was not asked for, of a lesson that stands or is cancelled. */
  unexpected: {
    twice: () => "You paid for this lesson more than once.",
    other_amount: (school: string, isCancelled: boolean) =>
      `You paid another amount than the price of this lesson.${isCancelled ? "" : ` Please contact ${school} before you pay again.`}`,
  },
  otherAmount: "Payment of another amount",
  confirmed: "Lesson confirmed",
  confirmedText: (name: string) => `Hello${name}, your lesson is confirmed. See you there.`,
  confirmedUnpaidText: (name: string) => `Hello${name}, your lesson is confirmed. It is not paid yet.`,
  stillConfirmedText: (name: string) => `Hello${name}, your lesson is still confirmed.`,
  over: "Lesson over",
  overText: (name: string) => `Hello${name}, this lesson is over.`,
  unproven: "Confirm your e-mail address",
  unprovenText: (name: string) =>
    `Hello${name}, we have sent you an e-mail. Please open its link within 30 minutes of booking; your lesson is held until then.`,
  confirm: "Confirm your lesson",
  confirmNow: "Yes, confirm it",
  requested: "Lesson requested",
  requestedText: (name: string, school: string) =>
    `Hello${name}, ${school} has your booking and will confirm it.`,
  unpaid: "Payment needed",
  heldText: (name: string, until: string | null) =>
    `Hello${name}, we keep this time for you${until === null ? "" : ` until ${until}`}.`,
  payToConfirm: "Pay to confirm the lesson.",
  expired: "Booking expired",
  expiredPayableText: (name: string) =>
    `Hello${name}, the time for the payment has run out. You can still pay while the time is free.`,
  expiredText: (name: string) =>
    `Hello${name}, the time for the payment has run out, and the lesson was not booked.`,
  cancelled: "Lesson cancelled",
  cancelledText: (name: string) => `Hello${name}, this lesson is cancelled.`,
  refundToCome: (amount: string) => `${amount} will be paid back to you, the way that you paid.`,
  refundOnItsWay: (amount: string) =>
    `${amount} is on its way back to you. Your bank may take some days to show it.`,
  refundMade: (amount: string, date: string) => `${amount} was paid back to you on ${date}.`,
  restDue: (school: string, amount: string) => `${school} will pay back the rest, ${amount}.`,
  staysPaid: (amount: string) => `${amount} stays paid.`,
  takenByBank: (amount: string) => `Your bank took back ${amount} of your payment.`,
  missed: "Lesson missed",
  missedText: (name: string) => `Hello${name}, you were not there for this lesson.`,
  completed: "Lesson completed",
  completedText: (name: string) => `Hello${name}, you have had this lesson.`,

  /** What a refusal says, by its code. */
  refusals: {
    invalid_status: "This lesson can no longer be changed.",
    cancel_window_passed: "It is too late to move or cancel this lesson here. Please call the school.",
    slot_unavailable: "This time has just been taken. Please choose another one.",
    slot_overlaps_own: "You have another lesson at this time.",
    slot_not_offered: "This time is not offered any more. Please choose another one.",
    nonexistent_time: "The clocks skip this time. Please choose another one.",
    invalid_instructor: "This instructor takes no bookings at the moment. Please call the school.",
    already_paid: "This lesson is paid already.",
    online_payment_not_enabled: "The school takes no payment online at the moment. Please call the school.",
    payment_gateway_error: "The payment could not be started. Please try again in a minute.",
    too_many_moves:
      "The lesson was moved three times already. To move it again, pay for it or confirm it by the link in our e-mail, or call the school.",
    too_many_holds:
      "Many unpaid lessons of that day come from your network. Please choose another day or instructor, or call the school.",
    validation_failed: "Please choose a date and a time.",
    idempotency_key_in_use: "This is being done already. Please look again in a moment.",
  },
  refused: "This could not be done. Please call the school.",
};

export type Words = typeof ENGLISH;
