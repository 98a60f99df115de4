import { refused, type SomeHelp } from "./help.ts";

/** Invoices, credit notes, payments, gateways, taxes and the books. */
export const MONEY_HELP = {
  payment_gateway_unavailable: {
    cause: "The company has no active payment gateway for the currency. No order was made.",
    cure: "Add one under /settings/{company}/payment-gateways, switch one on, or give it the currency.",
    message: "No payment gateway is active for INR: add one under /settings/{company}/payment-gateways",
  },
  payment_gateway_error: {
    cause: "The gateway refused to open the payment, or did not answer. Nothing was stored.",
    cure: "Try again. When it stays so, compare the gateway's credentials and mode with those of the settings.",
  },
  online_payment_not_enabled: {
    cause: "No gateway of the company takes this currency, or online payment is switched off.",
    cure: "Set up a gateway under /settings/{company}/payment-gateways, or let the customer pay in another way.",
  },
  already_paid: {
    cause: "Nothing is due any more: a payment has arrived.",
    cure: "Read the record; show the payer that it is paid.",
  },
  invoice_voided: {
    cause: "The invoice is voided: it takes no payment, no credit note and no sending.",
    cure: "Use the invoice that was issued in its place.",
  },
  period_locked: {
    cause: "The date lies in a time whose books are locked.",
    cure: "Use a date after the lock, issue a credit note instead of voiding, or move the lock in the settings.",
    message: "The books are locked through 2026-09-30: issue a credit note instead",
  },
  return_filed: {
    cause: "The month's GST return is marked as filed, so that its invoices must stay.",
    cure: "Issue a credit note in an open month.",
    message: "The GST return of this month is filed: issue a credit note instead",
  },
  has_credit_notes: {
    cause: "An invoice with credit notes cannot be voided.",
    cure: "Void the credit notes that credit_note_ids names, then the invoice.",
    members: { credit_note_ids: ["3"] },
  },
  has_gateway_refunds: {
    cause: "A gateway gave money of the invoice back, so that voiding it would count the money twice.",
    cure: "Issue a credit note over what was given back.",
  },
  credit_note_voided: {
    cause: "The credit note is voided.",
    cure: "Issue another one.",
  },
  credit_in_use: {
    cause: "Some of the note's credit was applied to invoices or paid out.",
    cure: "Take that back first, then void the note.",
  },
  credit_exceeds_invoice: {
    cause: "More is credited, by quantity or amount, than the earlier credit notes of the invoice left.",
    cure: "Credit at most what is left of each line; leave the lines out to credit all of it.",
    message: "Nothing is left to credit",
  },
  credit_exhausted: {
    cause: "More is applied or paid out than the note has left.",
    cure: "Use at most unapplied_amount.",
    ...refused("amount", "too_big", "is above what is left of the note"),
    members: { unapplied_amount: 118 },
  },
  credit_note_required: {
    cause: "A part of an invoiced booking is to be given back, so that the invoice must first be reduced.",
    cure: "Issue a credit note of the invoice first, or give back all.",
    message: "Issue a credit note of its invoice first, or give back all",
  },
  refund_exceeds_payment: {
    cause:
      "More is given back than can go back now: than the payment has left, or than is due of it already, which goes back first.",
    cure: "Give back refundable_amount first, and then the rest.",
  },
  refund_in_progress: {
    cause: "A refund of this money runs at the gateway, and its outcome is not known yet.",
    cure: "Wait until that refund has succeeded or failed.",
  },
  amount_exceeds_due: {
    cause: "amount and tds_amount together are above what the invoice has due.",
    cure: "Record at most amount_due.",
    message: "amount and tds_amount are above what is due: 118",
    members: { amount_due: 118 },
  },
  settlement_mismatch: {
    cause:
      "The payout's captures, refunds and fee do not come to its amount, or belong to another payout or gateway.",
    cure: "Compare the lists with the gateway's report of the payout.",
    ...refused("captures", "settlement_mismatch", "and refunds must come to the payout's amounts"),
  },
  payment_mode_inactive: {
    cause: "payment_mode_id names a way to pay that is switched off or is not there.",
    cure: "Take an id from /payments/{company}/methods.",
    ...refused(
      "payment_mode_id",
      "not_active",
      "names no active payment mode: /payments/{company}/methods lists them",
    ),
  },
  currency_not_supported: {
    cause:
      "Invoices and payments are in INR; a checkout takes a catalogue's prices in the company's own currency only.",
    cure: "Send the currency that the message names, or leave it out.",
    ...refused("currency", "currency_not_supported", "must be INR"),
  },
  invalid_gstin: {
    cause: "The text is no GSTIN: 15 characters, the last of which proves the others.",
    cure: "Compare it with the registration; a letter is often read for a digit. Leave it out for a person.",
    ...refused(
      "gstin",
      "invalid_gstin",
      "is not a valid GSTIN: check its 15 characters, the last proves the others",
    ),
  },
  gstin_state_mismatch: {
    cause: "The first two digits of the GSTIN are another state's.",
    cure: "Send the state of the registration, or the GSTIN of this state.",
    ...refused("gstin", "gstin_state_mismatch", "is not of Kerala: its first two digits name another state"),
  },
  gst_not_registered: {
    cause: "The company is not registered for the tax, so that it must not charge it.",
    cure: "Send a tax_rate of 0, or set the registration in the profile.",
    ...refused(
      "items[0].tax_rate",
      "gst_not_registered",
      "must be 0: the company is not registered to charge tax",
    ),
  },
  invalid_state: {
    cause: "The text is neither the name nor the code of a state of India.",
    cure: "Write the state's name in English, such as Karnataka, or its two-digit GST code.",
    ...refused("state", "invalid_state", "is not a state of India: send its English name, such as Karnataka"),
  },
  invalid_pincode: {
    cause: "The pincode does not have the form of its country: six digits in India, the first of them not 0.",
    cure: "Send the six digits, as text.",
    ...refused("pincode", "invalid_pincode", "must be 6 digits, the first not 0"),
  },
  tax_amount_implausible: {
    cause: "The tax of the order is that of no rate there is, so that no invoice can be made of it.",
    cure: "Send the tax that its lines give, or leave tax_amount out: the API then computes it.",
    ...refused("tax_amount", "tax_amount_implausible", "is that of no rate there is"),
  },
  account_inactive: {
    cause: "An account that the entry needs is switched off.",
    cure: "Switch it on under /settings/{company}/accounts.",
  },
  no_financial_year: {
    cause: "No open financial year holds the date.",
    cure: "Use a date of an open year, or open the year in the settings.",
  },
  number_exhausted: {
    cause: "The series of document numbers of this financial year has no number left.",
    cure: "Ask the operator: a series has room for all that a company issues.",
  },
} as const satisfies SomeHelp;
