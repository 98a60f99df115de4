// When and where each operation is called, where that is not as its kind of operation is called.

/** Before anything is written: what they list is used up. */
export const FIRST = ["listCaptures", "listDueRefunds", "listRefundReports", "listEventEndpoints"];

/** What ends, or switches off, something that others use. */
export const LAST = [
  ...["refundPayment", "voidCreditNote", "voidInvoice", "startSprint", "cancelBooking", "cancelStaffBooking"],
  ...["updateInstructor", "updateProject", "updateEventEndpoint", "updateMessagingProvider"],
  ...["updatePaymentGateway", "updatePaymentMode", "setRollout", "updateCompany", "makeSpareDatabase"],
  ...["useSpareDatabase", "closeCompany", "createErasure", "listErasures", "getErasure"],
];

/** Once what goes on beside the calls has ended, which they report. */
export const QUIET = [
  "replayEvents",
  "listEventDeliveries",
  "listEventEndpoints",
  "getEventEndpoint",
  "listNotifications",
];

/** What depends on how far that work is, and stands for it. */
export const RACED: Readonly<Record<string, object>> = {
  replayEvents: { queued: 60 },
  listEventDeliveries: { id: "90" },
  listNotifications: { id: "20" },
  // The demo moves the company's clock while it fills its projects.
  "invoice.overdue": { created_at: "2026-11-21T09:30:00.000Z" },
  getBacklog: { housekeeping: { due: 0, oldest_at: null } },
};

/** Whose record an operation is called on, where that is not the one of its usual address; after a dot the member that names it. */
export const MADE_BY: Readonly<Record<string, string>> = {
  reverseJournalEntry: "createJournalEntry",
  voidInvoice: "createInvoice",
  voidCreditNote: "createCreditNote",
  updateMilestone: "createMilestone",
  payBooking: "createBooking",
  rescheduleBooking: "createBooking",
  cancelBooking: "createBooking",
  updateBooking: "createStaffBooking",
  setBookingCustomer: "createStaffBooking",
  rescheduleStaffBooking: "createStaffBooking",
  cancelStaffBooking: "createStaffBooking",
  updateKey: "createKey",
  rotateKey: "createKey",
  updateApplication: "applyForJob",
  updateCompany: "createCompany",
  recordBackup: "createCompany",
  readDatabaseClaim: "createCompany.database",
  adoptDatabase: "createCompany.database",
  useSpareDatabase: "makeSpareDatabase.spare",
  removeSpareDatabase: "useSpareDatabase.spare",
};

/** What the demo companies do not have: another company is brought to have it. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  dismissRefundReport: "a report of a gateway about a payment that is not known",
  listRefundReports: "the same",
  listIgnoredPayments: "a report of a gateway about another shop's payment",
  dismissRefundReview: "a chargeback of what was paid out before",
  retryRefund: "a refund that its gateway refused",
  settleCapture: "money that no record is paid with",
  reopenCapture: "the same, settled",
  reverseSettlement: "a payout of a gateway that never came",
  reverseCreditNotePayout: "a payout of credit",
  reverseCreditApplication: "credit that was applied to another invoice",
  reverseReceipt: "a lesson with a receipt of money that staff took",
  listReceipts: "the same",
  resendMessage: "a message that failed",
  cancelMessage: "a message that is not sent yet",
  resolveOrder: "an order that waits for a decision",
  invoiceBooking: "a lesson with a receipt and no invoice",
  listUnposted: "an invoice of a year without books",
};
