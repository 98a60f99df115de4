import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "#api/operations/operation.ts";
import type { TestCompany } from "./company.ts";

/** The operations whose requests to their own database are more than their method's, and why. */
const REQUESTS: Record<string, number> = {
  // The batch finds all that it needs. Of a customer, the seller is read where the state is unknown.
  createCustomer: 1,
  recordPayment: 1,
  // The look-up of the own id, the company's key of hashes with its first own id, the batch.
  createOrChangeCustomer: 3,
  createOrChangeProduct: 3,
  createOrChangeWorkItem: 3,
  // The intent stands before its gateway is asked; then what the gateway opened, with the booking's payment page.
  payBooking: 3,
  // The refund stands before its gateway is asked; then what the gateway said.
  createRefund: 3,
  retryRefund: 3,
  // Capacity of the quota is taken once it is known whom a message goes to, and before it is stored.
  sendSms: 3,
  sendChatapp: 3,
  sendEmail: 3,
  resendMessage: 3,
  // Of both quotas; the company's own begins with what was spent.
  testNotificationTemplate: 4,
  // Each group of sentences is a read of its own, so that none is too long for a large company.
  checkBooks: 13,
};
/** Of the operations with another number than their method's: how many turns an answer waits for; a gateway's time comes on top. */
const TURNS: Record<string, number> = {
  ...REQUESTS,
  // The limiter, then the batch.
  createCustomer: 2,
  recordPayment: 2,
  // The gate of its key, then that of all who press Pay.
  payBooking: 5,
  // Nothing was counted in the company's quota yet: what was spent is looked up, and the quota asked again.
  testNotificationTemplate: 5,
  // The limiter, the batch; then what its sending had cost is looked up, and given back.
  cancelMessage: 4,
  // The limiter answers before 10 MB are taken in; the file stands before its record.
  applyForJob: 4,
  captureLead: 4,
  // The record says where the file is.
  downloadResume: 2,
  downloadAttachment: 2,
  // The copy in the company's database is written beside the control database's row.
  createKey: 3,
  updateKey: 3,
  rotateKey: 3,
  revokeKey: 3,
};
/**
 * How many statements the write batches of an operation's example hold in all, without an Idempotency-Key (with one it is
 * one more for each batch of a call): the look at the database's place, its own row, the effect, the
 * snapshot and the row of the audit log are the least.
 */
const STATEMENTS: Record<number, string> = {
  4: `previewNotificationTemplate`,
  5: `createProject createAccount createUnit createCategory createDepartment createLeadSource createLocation createInstructor createField
    createEmployee createWorkItemStatus createExchangeRate`,
  6: `createJournalEntry createTransfer adjustStock updateInbound createIteration createArea createMilestone createSprint updateEventSettings
    updateMessagingSettings createOptout createSuppression deleteSuppression createJob
    updateRecruitmentSettings updateLeadSettings updateBooksSettings deleteLeadSource deleteLocation
    createOverride deleteOverride deleteField testNotificationTemplate applyCreditNote deleteExchangeRate`,
  7: `createExpense createOpeningBalances createSettlement createSmsTemplate testEventEndpoint createPaymentGateway createCalendarFeed createMessagingProvider dismissRefundReport createCustomer sendSms sendChatapp sendEmail updateProject createComment
    updateIteration updateArea updateSprint updateAccount deleteAccount
     updateUnit deleteUnit updateCategory deleteCategory deleteOptout
    updateDepartment deleteDepartment closeLead updateLeadSource updateLocation updateInstructor
    deleteInstructor putSchedule updateField updateEmployee updateWorkItemStatus deleteWorkItemStatus
    cancelStaffBooking renewHostedUrl updateExchangeRate`,
  8: `updateBookingSettings deleteSmsTemplate createPaymentMode deleteNotificationTemplate putNotificationTemplate deleteCalendarFeed rotateCalendarFeed updateRefundSettings rotateMessagingProvider rotateEventEndpoint deleteCustomer createProduct updateProduct resendMessage resolveOrder
    applyForJob updateWorkItem updateMilestone startSprint updateCustomerSettings updateJob deleteJob updateApplication createPackage updatePackage
    deletePackage deleteEmployee createStaffBooking`,
  9: `payOutCreditNote postMissing reverseCreditApplication updateSmsTemplate deletePaymentMode updatePaymentMode deleteMessagingProvider updateMessagingProvider deletePaymentGateway updatePaymentGateway redeliverEvent createInvoice recordPayment cancelBooking sendInvoice updateCustomer createBooking rescheduleBooking completeSprint
    updateBooking rescheduleStaffBooking captureLead`,
  10: `updateProfile revokeKey rotateKey replayEvents dismissRefundReview cancelMessage createWorkItem transitionWorkItem setBookingCustomer`,
  11: `updateNotificationSettings updateKey createEventEndpoint createKey checkout settleCapture`,
  12: `payBooking deleteEventEndpoint updateEventEndpoint createCreditNote`,
  13: `reverseJournalEntry createOrChangeCustomer createOrChangeProduct`,
  14: `reverseCreditNotePayout`,
  // Refunds that their gateway refuses.
  15: `createRefund retryRefund reverseSettlement`,
  16: `voidCreditNote createOrChangeWorkItem reopenCapture`,
  17: `refundPayment`,
  18: `voidInvoice`,
  19: `createErasure reverseReceipt`,
  29: `invoiceBooking`,
};
const statements = new Map(
  Object.entries(STATEMENTS).flatMap(([count, ids]) =>
    ids.split(/\s+/).map((id) => [id, Number(count)] as const),
  ),
);
const LOOK_MS = 300;
const MOST_LOOKS = 300;
/** The first send of a key: its use of the day is not known, so it is looked up, and the quota asked again. */
export const FIRST_SEND = 2;
/** What an isolate adds that does not know the key: the control database is read first. */
export const COLD = 1;

/** How many requests to what is far an answer waits for, one after the other, while the isolate knows the key. */
export function turnsOf({ id, method }: Operation): number {
  return TURNS[id] ?? (method === "get" ? 1 : 2);
}

/** How many statements the operation writes; NaN where the list does not have it. */
export function statementsOf({ id }: Operation): number {
  return statements.get(id) ?? Number.NaN;
}

/** Whether the operation takes capacity of its key's messaging quota. */
export function sends({ problems }: Operation): boolean {
  return problems.includes("messaging_rate_limited");
}

/** How many requests the operation makes of the database that is not its own: the copy of a key is in the company's. */
export function requestsBeside({ area, method }: Operation): number {
  return area === "Settings: Keys" && method !== "get" ? 1 : 0;
}

/** How many requests the operation may make of its own database: a read always makes as many. */
export function requestsAllowed({ id, method }: Operation): { least: number; most: number } {
  if (method !== "get") return { least: 1, most: REQUESTS[id] ?? 2 };
  const reads = REQUESTS[id] ?? 1;
  return { least: reads, most: reads };
}

/** How many requests a read makes of the company's database: the middle of three times, for a job may come beside one, and take it along. */
export async function requestsOf(company: TestCompany, read: () => Promise<unknown>): Promise<number> {
  await untilQuiet(company);
  const counts: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    const before = await company.requests();
    await read();
    counts.push((await company.requests()) - before);
  }
  return counts.toSorted((one, other) => one - other)[1] ?? Number.NaN;
}

/** Waits until what earlier calls queued is done, and a job that has sent has looked who else waits: both would be counted. */
export async function untilQuiet(company: TestCompany): Promise<void> {
  const all = `SELECT count(*) + (SELECT count(*) FROM event_deliveries) + (SELECT count(*) FROM notifications) AS n,
      count(*) FILTER (WHERE r.dispatch_state IN ('pending', 'dispatching') AND m.is_scheduled = 0)
        + (SELECT count(*) FROM event_deliveries WHERE state IN ('pending', 'sending'))
        + (SELECT count(*) FROM notifications WHERE state = 'due' AND due_at <= ${Date.now()}) AS open
    FROM message_recipients r JOIN messages m ON m.id = r.message_id`;
  const read = async () => (await company.database().execute(all)).rows[0];
  if (Number((await read())?.n) === 0) return;
  const quiet = async () => {
    if (Number((await read())?.open) > 0) return false;
    const before = await company.requests();
    await sleep(LOOK_MS);
    return (await company.requests()) === before;
  };
  for (let tries = 0; !(await quiet()); tries += 1) {
    if (tries === MOST_LOOKS) throw new Error(`${company.slug} does not come to rest`);
    await sleep(LOOK_MS / 6);
  }
}
