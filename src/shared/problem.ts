/** The closed list of error codes: part of the API. Each has one status and one title; messages are help, codes are contract. */
export const PROBLEMS = {
  invalid_json: [400, "The body is not valid JSON"],
  invalid_idempotency_key: [400, "The Idempotency-Key is not valid"],
  payment_gateway_unavailable: [400, "No payment gateway is active for the currency"],
  payment_gateway_error: [400, "The payment gateway could not be initialised"],
  invalid_signature: [400, "The signature does not match: compare the webhook secret with the provider's"],
  missing_credentials: [401, "Credentials are missing"],
  invalid_credentials: [401, "The credentials are not valid"],
  secret_key_required: [401, "A secret key is required"],
  insufficient_scope: [403, "The key lacks the scope of this operation"],
  above_own_key: [403, "A key that ends gives no more than it has"],
  origin_not_allowed: [403, "The origin is not on the key's allow-list"],
  company_suspended: [403, "The company is suspended"],
  company_not_found: [404, "No such company"],
  not_found: [404, "No such record"],
  route_not_found: [404, "No such address"],
  method_not_allowed: [405, "The address does not answer this method"],
  operation_not_available: [405, "The operation is planned, not available"],
  request_timeout: [408, "The body came too slowly"],
  conflict: [409, "Conflict with an existing record"],
  customer_has_dependents: [409, "The customer is still referred to"],
  duplicate_customer: [409, "A customer with this GSTIN exists"],
  duplicate_external_id: [409, "Another record has this external_id"],
  external_id_retired: [409, "The record that had this external_id is gone"],
  duplicate_sku: [409, "A product with this SKU exists"],
  insufficient_stock: [409, "There is not enough stock"],
  invoice_voided: [409, "The invoice is voided"],
  period_locked: [409, "The books are locked for this date"],
  duplicate_settlement: [409, "The payout is recorded already"],
  entry_reversed: [409, "It is taken back already, or takes another back"],
  entry_has_document: [409, "The entry belongs to a document"],
  opening_exists: [409, "The opening balances are recorded already"],
  return_filed: [409, "The GST return of this month is filed"],
  has_credit_notes: [409, "The invoice has credit notes"],
  has_gateway_refunds: [409, "Its gateway gave money of it back: issue a credit note"],
  credit_note_voided: [409, "The credit note is voided"],
  credit_in_use: [409, "Some of the credit is used"],
  limit_reached: [409, "The company has as many as it may have"],
  in_use: [409, "The record is still referred to"],
  duplicate_name: [409, "The name is taken"],
  duplicate_project_code: [409, "The project code is taken"],
  active_sprint_exists: [409, "Another sprint of the project is active"],
  refund_in_progress: [409, "A refund through the gateway is in progress"],
  invalid_status: [409, "The record's status does not allow this"],
  version_conflict: [409, "The record was changed in between: read it again"],
  idempotency_key_in_use: [409, "A request with this Idempotency-Key is still running"],
  duplicate_application: [409, "The applicant has applied for this job before"],
  number_exhausted: [409, "The number series of the financial year is exhausted"],
  slot_unavailable: [409, "The slot conflicts with an existing booking"],
  slot_overlaps_own: [409, "The learner has another lesson at this time"],
  catalogue_changed: [409, "What is on sale, how it is paid, or the buyer's record changed in between"],
  already_paid: [409, "It is paid already"],
  events_expired: [410, "Events after this sequence are no longer kept"],
  feed_restarted: [410, "The events were restored from a backup: follow them anew"],
  payload_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body has a type that the operation does not read"],
  validation_failed: [422, "Validation failed"],
  invalid_cursor: [422, "The cursor is not valid here"],
  invalid_limit: [422, "The limit is not an integer from 1 to 100"],
  unsupported_parameter: [422, "The parameter is not supported"],
  unknown_parameter: [422, "The operation has no such parameter"],
  unknown_member: [422, "The body has a member that is nearly a known one"],
  no_accepted_fields: [422, "The body names no accepted field"],
  idempotency_key_reused: [422, "The Idempotency-Key was used with another body: send a new key"],
  currency_not_supported: [422, "The currency is not supported"],
  invalid_gstin: [422, "The GSTIN is not valid"],
  gstin_state_mismatch: [422, "The GSTIN belongs to another state"],
  gst_not_registered: [422, "The company is not registered to charge tax"],
  invalid_state: [422, "The state is not known"],
  invalid_pincode: [422, "The pincode is not valid"],
  invalid_product: [422, "The product cannot be used here"],
  tax_amount_implausible: [422, "The tax is that of no rate there is"],
  credit_exceeds_invoice: [422, "More is credited than is left"],
  credit_exhausted: [422, "The credit note has less left"],
  credit_note_required: [422, "A credit note is required first"],
  refund_exceeds_payment: [422, "More is given back than can go back now"],
  amount_exceeds_due: [422, "The amount is above what is due"],
  entry_unbalanced: [422, "Debits and credits differ"],
  control_account: [422, "Documents prove the account's balance"],
  settlement_mismatch: [422, "The payout does not add up"],
  account_inactive: [422, "An account is switched off"],
  no_financial_year: [422, "No open financial year holds the date"],
  payment_mode_inactive: [422, "The payment mode is not active"],
  stock_not_tracked: [422, "The product's stock is not tracked"],
  invalid_instructor: [422, "The instructor cannot be booked"],
  slot_not_offered: [422, "The instructor does not offer this time"],
  nonexistent_time: [422, "The clocks skip this time"],
  end_time_mismatch: [422, "The end does not fit the length of the lesson"],
  duration_not_offered: [422, "The lesson would be longer than the course"],
  package_not_found: [422, "There is no such package of this customer"],
  package_exhausted: [422, "The package has no session left"],
  cancel_window_passed: [422, "It is too late to cancel or move the booking"],
  online_payment_not_enabled: [422, "Online payment is not enabled"],
  too_many_moves: [
    429,
    "The booking was moved three times: pay for it or confirm it by its e-mail, then move it, or ask the school",
  ],
  too_many_holds: [429, "Too many unpaid bookings"],
  unknown_state: [422, "The state is not configured"],
  parent_not_in_project: [422, "The parent is not of this project"],
  cycle: [422, "A record cannot be its own ancestor"],
  html_empty: [422, "Nothing is left of the HTML once it is cleaned"],
  customer_email_missing: [422, "The customer has no e-mail address: send email or emails"],
  template_invalid: [422, "The text names what its rule does not have"],
  replay_too_large: [422, "A replay sends 10,000 events at most"],
  no_active_provider: [422, "No provider is active for the channel"],
  captcha_required: [422, "The visitor has to solve a puzzle first"],
  captcha_failed: [422, "The visitor's puzzle was not solved"],
  rate_limited: [429, "The key's rate limit is reached"],
  messaging_rate_limited: [429, "The key's messaging rate is reached"],
  messaging_daily_cap: [429, "The daily cap of messages is reached"],
  internal_error: [500, "The request could not be processed"],
  unavailable: [503, "Temporarily unavailable: this call did nothing"],
  database_blocked: [503, "The company's database is blocked by its operator: this call did nothing"],
  no_key_opens: [503, "The service lacks the key that opens what it keeps encrypted of the company"],
  upgrading: [503, "The company's database is being upgraded: this call did nothing"],
  outcome_unknown: [503, "The outcome is not known: retry with the same Idempotency-Key"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** How many refused fields an answer names, so that a call with thousands of them gets a short one. */
export const MOST_ERRORS = 20;

/** One refused field: its path as the client wrote it (`items[0].quantity`), a stable code, and help. */
export type FieldProblem = { field: string; code: string; message: string };

export type ProblemDetails = {
  message?: string;
  /** Where the operation answers this code with another status than most do. */
  status?: number;
  errors?: FieldProblem[];
  /** How many fields are refused, where `errors` has the first of them. */
  errorCount?: number;
  /** Further top-level members of the error body, such as `blocked_by`. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/** The one error type: anything else that is thrown is a fault and answers 500 without its text. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.message ?? PROBLEMS[code][1]);
    this.name = "Problem";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? PROBLEMS[this.code][0];
  }
}

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

/** A 422 for one field found wrong after the schema, such as a reference to a record that is not there. */
export function fieldProblem(
  field: string,
  code: string,
  message: string,
  problem: ProblemCode = "validation_failed",
  details: ProblemDetails = {},
): Problem {
  return new Problem(problem, {
    message: `${field} ${message}`,
    errors: [{ field, code, message }],
    ...details,
  });
}
