import type { DocumentType } from "#shared/gst/document-types.ts";
import type { CreditReason } from "#shared/payments/credit-reasons.ts";
import { countryName } from "#shared/places/countries.ts";
import { stateName } from "#shared/places/states.ts";
import { formatDate } from "../formats.ts";
import { amountInWords } from "./amount-in-words.ts";

/** What the law wants said, in the words of CGST Rules 5(1)(f) and 46. */
const ENDORSEMENTS = {
  composition: "Composition taxable person, not eligible to collect tax on supplies",
  export: "Supply meant for export",
  zone: "Supply to SEZ unit or SEZ developer for authorised operations",
  withPayment: "on payment of integrated tax",
  withoutPayment: "under bond or letter of undertaking without payment of integrated tax",
};

/** The words of papers in English. */
export const ENGLISH = {
  day: formatDate,
  windowTitle: (kind: string, number: string, seller: string) => `${kind} ${number} from ${seller}`,
  pageOf: ["Page ", " of "] as [before: string, between: string],
  amountInWords,
  country: countryName,
  state: (code: string) => stateName(code) ?? "State",
  endorsements: ENDORSEMENTS,
  titles: {
    tax_invoice: "Tax invoice",
    bill_of_supply: "Bill of supply",
    invoice_cum_bill_of_supply: "Invoice-cum-bill of supply",
    invoice: "Invoice",
  } satisfies Record<DocumentType, string>,
  stamps: {
    paid: "Paid",
    partial: "Partially paid",
    unpaid: "Due",
    overdue: "Overdue",
    credited: "Credited",
  },
  original: "Original for recipient",
  billTo: "Bill to",
  deliverTo: "Deliver to",
  unregistered: "unregistered",
  number: "Invoice number",
  date: "Invoice date",
  dueDate: "Due date",
  placeOfSupply: "Place of supply",
  destination: "Country of destination",
  reverseCharge: "Reverse charge",
  no: "No",
  reference: "Reference",
  item: "Item",
  quantity: "Quantity",
  rate: "Rate",
  taxRate: "Tax rate",
  less: "less",
  taxableValue: "Taxable value",
  value: "Value",
  untaxedValue: "Untaxed value",
  treatments: { nil_rated: "Nil-rated", exempt: "Exempt", non_gst: "Outside GST" },
  tax: "Tax",
  totalTax: "Total tax",
  amount: "Amount",
  total: "Total",
  taxByCode: "Tax by HSN/SAC",
  inWords: "Total in words",
  subTotal: "Sub-total",
  discount: "Discount",
  roundOff: "Round-off",
  paid: "Paid",
  withheld: "TDS deducted",
  credited: "Credited",
  amountDue: "Amount due",
  creditNote: "Credit note",
  adjustmentNote: "Adjustment note",
  noteNumber: "Number",
  noteDate: "Date",
  ofInvoice: "Of invoice",
  reason: "Reason",
  reasons: {
    sales_return: "Goods returned",
    post_sale_discount: "Discount after the sale",
    deficiency: "Deficiency in the supply",
    correction: "Correction of the invoice",
    change_of_pos: "Change of the place of supply",
    cancellation: "Cancellation",
    other: "Other",
  } satisfies Record<CreditReason, string>,
  valueOnly: "Value only: this note takes back no tax.",
  totalCredited: "Total credited",
  payNow: "Pay now",
  /** A gateway has money for it: a payment of another amount while something is due, else more than was due. */
  held: (isDue: boolean, seller: string) =>
    isDue
      ? `${seller} has received a payment for this invoice that is not settled yet. Please ask ${seller} before you pay again.`
      : `${seller} has received more for this invoice than was due, and will pay back what was too much.`,
  qrCode: "UPI QR code",
  payByUpi: "Pay by UPI",
  scan: (amount: string) => `Scan with any UPI app to pay ${amount}.`,
  payWithApp: "Pay with a UPI app",
  payByTransfer: "Pay by bank transfer",
  bank: "Bank",
  accountName: "Account name",
  accountNumber: "Account number",
  taxNumber: "Tax number",
  notes: "Notes",
  terms: "Terms",
  signedFor: (seller: string) => `For ${seller}`,
  signatory: "Authorised signatory",
  print: "Print or save as PDF",
};
export type Words = Readonly<typeof ENGLISH>;
