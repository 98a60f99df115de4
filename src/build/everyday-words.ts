// Verbs of many operations, and nouns that the API has another word for, stand in src/api/mcp/words.ts.
const WORDS: Readonly<Record<string, string>> = {
  listInvoices:
    "who owes us money unpaid overdue outstanding not paid yet sales sold revenue month late debtor",
  createInvoice: "bill somebody customer write work hours charge sell draw up",
  voidInvoice: "cancel mistake wrong undo",
  createCreditNote: "discount rebate returned goods mistake wrong lower invoice sent after",
  sendInvoice:
    "remind customer to pay reminder chase nudge overdue late debtor ask mail receipt payment link again",
  listCustomers: "look up search person phone number who best",
  updateCustomer: "moved new address phone email contact",
  "listProducts getProduct": "price stock left how many pieces article goods inventory",
  listProducts: "out of low running what do we sell assortment",
  createProduct: "put new item article into shop sell service course",
  updateProduct: "remove delete raise lower price article take out of shop",
  adjustStock: "goods arrived warehouse received damaged count inventory stocktake stocktaking restock lost",
  listPayments: "money received receipt came in week",
  recordPayment: "paid in cash bank transfer cheque upi card came settled mark invoice",
  "createRefund refundPayment": "give money back reimburse undo returned",
  "listAccounts trialBalance":
    "bank balance how much cash profit loss income expense sell sales revenue tax year month",
  checkBooks: "are right in order correct errors verify accounting",
  updateBooksSettings: "close year month",
  "createSettlement listCaptures": "gateway payout pay out bank razorpay stripe",
  createPaymentGateway: "razorpay stripe paypal online card payments",
  "sendSms sendChatapp sendEmail": "write message answer reply customer tell let know ready inform schedule",
  "listInbound getInbound": "what reply replies answer read did write say anything",
  listInbound: "came in today inbox new unread messages received customers",
  "listMessages getMessage": "sent did arrive delivered read seen fail whatsapp",
  cancelMessage: "stop scheduled",
  "createOptout createSuppression": "never write again stop unsubscribe any more person block",
  getListedOrder: "parcel package where going delivery address",
  "listLeads getLead":
    "enquiry inquiry contact form website prospect potential customer asked quote anything",
  getLead: "answer reply",
  closeLead: "won lost deal converted mark",
  captureLead: "new enquiry visitor put down",
  "getDiary listBookings": "today tomorrow who teaches whom lessons appointments schedule week",
  createStaffBooking: "driving lesson student customer reserve enrol visit",
  cancelStaffBooking: "call off lesson student does not come",
  updateBooking: "student did not come done paid lesson",
  createOverride: "ill sick holiday leave away vacation day off block",
  "createOverride putSchedule": "teacher instructor works only mornings afternoons hours",
  createInstructor: "hire new driving teacher trainer",
  createPackage: "sell ten lessons at once bundle prepaid",
  "listPackageSettings listPackages": "how many lessons left student prepaid",
  createWorkItem: "report file log story defect problem error broken team",
  "createWorkItem listWorkItems updateWorkItem transitionWorkItem": "bug task ticket issue todo",
  "updateWorkItem transitionWorkItem": "fixed assign developer done close resolved progress",
  "listApplications updateApplication": "turn down reject invite applicants candidates hiring",
  listApplications: "who wants job applied resumes received",
  downloadResume: "cv applicant candidate",
  createJob: "post vacancy opening position hire advertise",
  "createEmployee listEmployees deleteEmployee": "staff member colleague team who works here",
  createErasure: "forget data gdpr privacy delete deletion request",
  "createKey revokeKey": "program app access token",
  "listAuditLog listEvents": "who changed what happened when yesterday history",
  updateProfile: "our name address logo bank account on invoices",
  "listLocationSettings updateLocation": "opening hours where branches",
  "createEventEndpoint listEventDeliveries": "webhook tell another system when order comes in did fail",
  putNotificationTemplate: "change words wording reminder confirmation mail",
  updateNotificationSettings: "turn off on reminders when",
};

/** What people call an operation besides its own names: an agent finds it by these as by its summary. */
export function everydayWordsOf(id: string): string {
  const its = Object.entries(WORDS).filter(([ids]) => ids.split(" ").includes(id));
  return its.map(([, words]) => words).join(" ");
}
