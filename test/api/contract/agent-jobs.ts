/** What an agent looks for, the operation that does it, what it says of the call, and what it needs of the answer. */
export type Step = [sought: string, operation: string, call: Record<string, object>, fields?: string];
/** The records that the jobs are about, by their ids, and two days. */
export type Records = Record<
  "customer" | "invoice" | "product" | "instructor" | "course" | "project" | "lead" | "order",
  string | number
> & { today: string; later: string };

const UNPAID = "id invoice_number customer.name due_date amount_due";
const findCustomer: Step = [
  "find a customer by name",
  "listCustomers",
  { query: { q: "Meera" } },
  "id name phone email",
];
const product = (sought: string): Step => [
  sought,
  "listProducts",
  { query: { q: "Press" } },
  "id name selling_price tax_rate current_stock",
];
const sendEmail = (subject: string): Step => {
  const body = { to: "rohan.mehta@mail.example", subject, html: "<p>We write to you.</p>" };
  return ["send an e-mail", "sendEmail", { body }, "id status"];
};

/** Ten everyday jobs of an agent, each with the steps that it takes. */
export function jobsOf(of: Records): Record<string, Step[]> {
  const payment = { invoice_id: of.invoice, amount: 10, payment_date: of.today, payment_mode_id: 2 };
  const buyer = { name: "Kaveri Stationers", state: "Karnataka", pincode: "560001" };
  const line = { product_id: of.product, item_name: "Press", unit: "NOS", unit_price: 100, tax_rate: 18 };
  const when = { booking_date: of.later, start_time: "11:00", pickup_address: "12 MG Road, Bengaluru" };
  const who = { customer_id: of.customer, instructor_id: of.instructor, product_id: of.course };
  const lead = { path: { id: of.lead } };
  return {
    "record a payment that came by bank": [
      ["invoices of a customer", "listInvoices", { query: { customer_id: of.customer } }, UNPAID],
      ["ways to pay", "listPaymentMethods", {}, "id name"],
      ["record a payment that came by bank", "recordPayment", { body: payment }, "id payment_number"],
    ],
    "who owes us and remind them": [
      ["who owes us money", "listInvoices", { query: { status: "unpaid" } }, UNPAID],
      ["remind a customer to pay", "sendInvoice", { path: { id: of.invoice }, body: {} }],
    ],
    "invoice a new customer": [
      ["add a new customer", "createCustomer", { body: buyer }, "id"],
      product("find a product"),
      [
        "make an invoice",
        "createInvoice",
        { body: { customer_id: of.customer, items: [{ ...line, quantity: 1 }] } },
        "id invoice_number total_amount hosted_url warnings",
      ],
    ],
    "book a lesson": [
      ["who teaches", "listInstructors", {}, "instructors.id instructors.name"],
      [
        "when is an instructor free",
        "getAvailability",
        { query: { instructor_id: of.instructor, date: of.later } },
        "slots.start",
      ],
      findCustomer,
      ["book a lesson", "createStaffBooking", { body: { ...who, ...when } }, "id booking_number status"],
    ],
    "text a customer": [
      findCustomer,
      ["text a customer", "sendSms", { body: { to: "919845012345", message: "It is ready." } }],
    ],
    "file a bug": [
      ["which projects have we", "listProjects", {}, "id name"],
      [
        "create a bug",
        "createWorkItem",
        { path: { project_id: of.project }, body: { title: "The total is wrong", type: "bug" } },
        "id reference",
      ],
    ],
    "what came in today": [
      ["what came in today", "listInbound", { query: { unread: true } }, "id from text received_at"],
      ["new enquiries", "listLeads", {}, "id name created_at"],
    ],
    "ship an order": [
      ["orders to ship", "listOrders", { query: { payment_status: "paid" } }, "id order_number"],
      ["read an order", "getListedOrder", { path: { id: of.order } }, "customer items.name items.quantity"],
      sendEmail("Your order is on its way"),
    ],
    "answer a lead": [
      ["answer a lead", "getLead", lead, "name email submissions.fields"],
      sendEmail("Your enquiry"),
      ["close a lead", "closeLead", { ...lead, body: { status: "converted" } }, "status"],
    ],
    "stock of a product": [product("how many of a product are left")],
  };
}
