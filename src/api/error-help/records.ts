import { refused, type SomeHelp } from "./help.ts";

/** Records that are not there, taken, in use or in another state; customers, products, projects and messages. */
export const RECORD_HELP = {
  not_found: {
    cause:
      "The company has no such record: the id is another record's number, a record of another company, or one that was deleted or, of a payment, refunded.",
    cure: "Take the id from the answer that made the record, or from its list. resource names what is missing.",
    message: "There is no such invoice",
    members: { resource: "invoice" },
  },
  conflict: {
    cause: "Another record has what must be unique, or what is stored does not allow the change.",
    cure: "Read the message: it says what stands against it. Change that, or use the record that is there. Where a member of the body must be unique, field names it.",
    message: "The slug acme is taken, by a company or by another database",
    members: { field: "slug" },
  },
  customer_has_dependents: {
    cause: "The customer has invoices, payments or entries in the ledger, which must keep their customer.",
    cure: "Keep the customer. blocked_by names what refers to it. To remove a person's data, erase the person.",
    message: "The customer is still referred to by invoices and payments",
    members: { blocked_by: ["invoices", "payments"] },
  },
  duplicate_customer: {
    cause: "A customer with this GSTIN exists: two would split what one business owes.",
    cure: "Use or change the customer that customer_id names.",
    members: { customer_id: "1" },
  },
  duplicate_sku: {
    cause: "Another product has this SKU.",
    cure: "Give the product another SKU, or none; or change the product that has it.",
  },
  duplicate_name: {
    cause: "Another record of this kind has the name.",
    cure: "Choose another name, or use the record that has it.",
  },
  duplicate_project_code: {
    cause: "Another project has the code, which is the first part of its items' references.",
    cure: "Send another code, or leave it out: one is then derived from the name.",
  },
  duplicate_application: {
    cause: "The same person has applied for this job, by the e-mail address.",
    cure: "The first application counts: show the applicant application_number and applied_at.",
    members: { application_number: "APP-00017", applied_at: "2026-11-20T09:30:00.000Z" },
  },
  duplicate_settlement: {
    cause: "A payout of this gateway with this reference is recorded already.",
    cure: "Nothing is to be done, or the reference is another payout's.",
  },
  limit_reached: {
    cause: "The company has as many records of this kind as it may have.",
    cure: "Remove one that is not needed, or ask the operator to raise the limit.",
    message: "The company may have 50 keys: revoke one that is not needed",
    members: { limit: 50 },
  },
  in_use: {
    cause: "Other records refer to the record, or depend on what would change.",
    cure: "Change those first, switch the record off instead of deleting it, or make another.",
    message: "The product's stock is counted in its unit: make another product",
  },
  invalid_status: {
    cause: "The record's status does not allow the act: it is cancelled, done, sent, or under way.",
    cure: "Read the record: its status says what can still be done.",
  },
  version_conflict: {
    cause: "Another call changed the record since you read it: its version is not that of If-Match.",
    cure: "Read the record again, apply your change to what is there now, and send its new version.",
  },
  insufficient_stock: {
    cause:
      "Less is in stock than the sale or the decrease takes. In a checkout and an adjustment the status is 422.",
    cure: "Take no more than available, adjust the stock first, or set allow_negative_stock in the profile.",
    ...refused("items[0].quantity", "insufficient_stock", "is above the 3 in stock"),
    members: { product_id: 3, available: 3 },
  },
  stock_not_tracked: {
    cause: "The product's stock is not counted: track_stock was not set when it was made.",
    cure: "Make a product with track_stock true; it cannot be set later.",
  },
  invalid_product: {
    cause: "The product does not exist, is inactive, or is of another kind than the operation needs.",
    cure: "Take the id from the list that the operation sells from: the catalogue of the shop, or the courses.",
    ...refused("product_id", "not_a_lesson", "names no active lesson course"),
  },
  catalogue_changed: {
    cause:
      "While the payment was opened, a product, its price, the gateway's account or the buyer's record changed. No order was made.",
    cure: "Read the catalogue again, show the buyer the new price, and check out again.",
  },
  unknown_state: {
    cause: "A work item was given a status that the company has not configured, without its category.",
    cure: "Send a slug from /meta as status, or state together with state_category.",
    ...refused("state", "unknown_state", "is no configured status; send its state_category too"),
  },
  parent_not_in_project: {
    cause: "parent_id names a record of another project, or none.",
    cure: "Take the parent from the same project's list.",
    ...refused("parent_id", "not_in_project", "names none of this project"),
  },
  cycle: {
    cause: "The move would make a record its own ancestor.",
    cure: "Choose a parent that is neither the record nor below it, or null for the top.",
    ...refused("parent_id", "cycle", "names the record itself or one below it"),
  },
  active_sprint_exists: {
    cause: "A project has one active sprint, and another one is.",
    cure: "Complete the active sprint, then start this one.",
  },
  html_empty: {
    cause: "Scripts, frames and event handlers are removed from an e-mail, and nothing else was in it.",
    cure: "Send text that a mail program may show.",
    ...refused("html", "html_empty", "has nothing left once it is cleaned"),
  },
  customer_email_missing: {
    cause: "The invoice was to be sent to its customer, whose record has no e-mail address.",
    cure: "Send email or emails with the call, or give the customer an address.",
  },
  template_invalid: {
    cause: "The text has a placeholder that its rule does not fill, or HTML that would break the mail.",
    cure: "Use the placeholders that the rule's example shows.",
    ...refused("body", "template_invalid", "has no value for {{customer_nam}}"),
  },
  replay_too_large: {
    cause: "The events chosen for a replay are more than 10,000.",
    cure: "Choose fewer types or a shorter time, and replay in parts.",
  },
  no_active_provider: {
    cause: "The company has no active provider for this channel, so nothing can be sent.",
    cure: "Add one under /settings/{company}/messaging-providers, or switch one on.",
    message: "No provider is active for sms: add one under /settings/{company}/messaging-providers",
  },
} as const satisfies SomeHelp;
