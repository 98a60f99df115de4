import { expect, test } from "vitest";
import { openSound } from "../../support/oracles.ts";
import {
  getInvoice,
  line,
  listInvoices,
  newCustomer,
  newInvoice,
  patchCustomer,
  setClock,
} from "../commerce.ts";

const SELLER = { name: "Asha Traders", state: "Karnataka", gstin: "29AABCR1718E1ZL", address: "1 Main Road" };
const BUYER = {
  name: "Meera Traders",
  email: "accounts@meera.example",
  phone: "+91 98765 43210",
  gstin: "24AAQCA8719H1ZC",
  address: "12 Ring Road",
  city: "Surat",
  state: "Gujarat",
  pincode: "395001",
};

const company = await openSound(SELLER);
await setClock(company, "2026-11-21T09:30:00Z");

test("an invoice's record has every field", async () => {
  const { id: customerId } = await newCustomer(company, BUYER);
  const { name, gstin, email, phone, ...address } = BUYER;
  const sent = {
    reference_number: "PO-17",
    notes: "Thank you\nfor your order",
    terms: "Due on receipt",
    metadata: { order: "A-17" },
  };
  const invoice = await newInvoice(company, customerId, { ...sent, currency: "INR" });
  expect(invoice).toEqual({
    id: expect.stringMatching(/^\d+$/),
    external_id: null,
    invoice_number: "INV/26-27/00001",
    status: "draft",
    payment_status: "unpaid",
    is_overdue: false,
    currency: "INR",
    exchange_rate: null,
    inr: null,
    customer_id: customerId,
    customer: {
      id: customerId,
      name,
      email,
      phone,
      gstin,
      company_name: null,
      gst_category: "regular",
      billing_address: { ...address, state_code: "24", country: "IN", country_text: null },
      shipping_address: null,
    },
    seller: {
      legal_name: SELLER.name,
      gstin: SELLER.gstin,
      address: SELLER.address,
      state_code: "29",
      lut_number: null,
      country: "IN",
      gst_status: "registered",
      ...{ tax_label: null, tax_number: null, tax_number_label: null },
    },
    invoice_date: "2026-11-21",
    due_date: "2026-11-21",
    financial_year: "2026-27",
    place_of_supply: { code: "24", name: "Gujarat" },
    supply_type: "inter",
    document_type: "tax_invoice",
    tax_heads: "integrated",
    state_tax_label: null,
    zero_rated: null,
    items: [expect.objectContaining(line)],
    tax_breakup: [expect.objectContaining({ tax_rate: 18, taxable_value: 299.97 })],
    sub_total: 299.97,
    discount_total: 0,
    taxable_total: 299.97,
    cgst_total: 0,
    sgst_total: 0,
    igst_total: 53.99,
    tax_total: 53.99,
    round_off: 0.04,
    total_amount: 354,
    amount_paid: 0,
    tds_amount: 0,
    amount_credited: 0,
    credit_status: "none",
    credit_note_ids: [],
    refunded_without_credit_note: 0,
    amount_due: 354,
    journal_entry_id: expect.stringMatching(/^\d+$/),
    hosted_url: expect.stringMatching(/\/i\/[\w-]+\/[\w-]{43}$/),
    source: "api",
    sales_order_id: null,
    ...sent,
    sent_at: null,
    voided_at: null,
    created_at: expect.stringMatching(/^2026-11-21T09:3\d:/),
    updated_at: invoice.created_at,
  });
  expect([await getInvoice(company, invoice.id), (await listInvoices(company))[0]]).toEqual([
    invoice,
    invoice,
  ]);
});

test("an invoice shows customer and company as they were when it was issued", async () => {
  const { id: customerId } = await newCustomer(company, {
    name: "Old name",
    city: "Mysuru",
    email: "old@example.com",
  });
  const issued = await newInvoice(company, customerId);
  await patchCustomer(company, customerId, { name: "New name", city: "Hubli", email: null, state: "Goa" });
  await company.rows("UPDATE profile SET name = 'New company', address = '2 Main Road'");
  expect(await getInvoice(company, issued.id)).toEqual(issued);
  expect((await listInvoices(company, "limit=1"))[0]).toEqual(issued);
  expect(issued.customer).toMatchObject({ name: "Old name", email: "old@example.com" });

  const next = await newInvoice(company, customerId);
  expect(next.customer).toMatchObject({
    name: "New name",
    email: null,
    billing_address: { state_code: "30" },
  });
  expect(next.seller).toMatchObject({ legal_name: "New company", address: "2 Main Road" });
});
