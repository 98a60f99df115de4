import { refused, type SomeHelp } from "./help.ts";

/** Who may call, how often, and what an operator has to mend. */
export const ACCESS_HELP = {
  missing_credentials: {
    cause:
      "The call has no key, or a secret key without its secret. The API does not read Authorization outside /platform.",
    cure: "Send X-Client-Id and X-Client-Secret with each call; below /schools, a publishable key is sent in X-Client-Id alone. For /platform, send Authorization: Bearer and the operator's token.",
    message: "Send the headers X-Client-Id and X-Client-Secret",
  },
  invalid_credentials: {
    cause:
      "No key has this id and this secret, or the key is revoked or expired. The answer is the same whichever part is wrong.",
    cure: "Compare both headers with what was shown when the key was made: no space, no part cut off. A lost secret is replaced by rotating the key.",
    message:
      "No live key has these credentials: check X-Client-Id and X-Client-Secret, and whether the key is revoked or expired",
  },
  secret_key_required: {
    cause:
      "The call was made with a publishable key, which works below /schools only, for everybody can read it in a page.",
    cure: "Make the call from your own server, with a secret key that has the scope. Never put a secret key into a page.",
    message:
      "A publishable key works below /schools only: send X-Client-Id and X-Client-Secret of a secret key",
  },
  insufficient_scope: {
    cause:
      "The key is valid, and lacks the scope that the operation wants. A scope to write does not include the one to read.",
    cure: "Give the key the scope that required_scope names, or use another key.",
    message: "The key lacks the scope invoices:write",
    members: { required_scope: "invoices:write" },
  },
  above_own_key: {
    cause: "A key that expires, or has limits, made or changed a key that would outlive it or exceed it.",
    cure: "Ask for no more than the calling key has, or call with a key that has it.",
    ...refused("expires_at", "above_own_key", "is above that of the calling key, which ends itself"),
  },
  origin_not_allowed: {
    cause:
      "A publishable key was used by a page whose origin is not in its allowed_origins, or outside a browser.",
    cure: "Add the origin that the message names to the key: scheme, host and port, without a path. On a server, use a secret key.",
    message: "The key does not allow the origin https://other.example: add it to the key's allowed_origins",
  },
  company_suspended: {
    cause:
      "The operator of the service has suspended the company. All of its calls get this answer, and its data stays.",
    cure: "Ask the operator why. Do not retry until the company is resumed.",
  },
  company_not_found: {
    cause:
      "The address names another company than the one that the key belongs to, or none. The answer is the same for both.",
    cure: "Put the company's slug, not its name, where the address has {company}. A key works for its own company only.",
    message: "The key belongs to no company of this name: check the company's slug in the address",
  },
  route_not_found: {
    cause: "No operation has this address: a word is misspelt, /v1 is missing, or a slash stands at the end.",
    cure: "Use the address that the message names, or look it up in the reference.",
    message: "There is no such address: the nearest is /v1/invoices/{company}/{id}/void",
  },
  method_not_allowed: {
    cause:
      "The address exists and does not answer this method. Changes are PATCH; acts such as void are POST.",
    cure: "Use one of the methods in the header Allow.",
    message: "The address answers GET, PATCH, DELETE, not PUT",
  },
  operation_not_available: {
    cause: "The operation is planned and not built: an invoice is final once it is issued.",
    cure: "Void the invoice and issue another, or issue a credit note.",
    message: "The operation is planned, not available: the address answers GET",
  },
  rate_limited: {
    cause:
      "The key made as many calls in 60 seconds as it may, or too many calls with wrong credentials came from this address.",
    cure: "Wait the seconds of Retry-After. X-RateLimit-Remaining says how many calls are left; lists give up to 100 records a call.",
    message: "Rate limit reached: try again in 12 s",
    members: { retry_after: 12 },
  },
  messaging_rate_limited: {
    cause: "The key sent as many messages in 60 seconds as it may.",
    cure: "Wait the seconds of Retry-After, and spread what you send. The limit is messaging_rate_per_minute of the key.",
    members: { retry_after: 20 },
  },
  messaging_daily_cap: {
    cause: "The key, or the whole company, sent as many messages as it may in the company's day.",
    cure: "Go on after Retry-After, when the company's next day begins, or raise messaging_daily_cap of the key.",
    members: { retry_after: 30_600 },
  },
  internal_error: {
    cause: "The fault is ours, not the call's.",
    cure: "Give the request_id to the operator: it names the line in the log. A write may be sent again with its Idempotency-Key.",
  },
  unavailable: {
    cause: "The company's database does not answer, or too much runs at once. This call did nothing.",
    cure: "Send the same call again after the seconds of Retry-After.",
    members: { retry_after: 1 },
  },
  database_blocked: {
    cause:
      "The operator has blocked the company's database, for instance while it is moved or over its quota. This call did nothing.",
    cure: "Try again after the seconds of Retry-After; ask the operator when it lasts.",
    members: { retry_after: 60 },
  },
  no_key_opens: {
    cause:
      "The service was started without the master key that the company's secrets are encrypted with. This call did nothing.",
    cure: "Ask the operator to start it with that key, as MASTER_KEY or PREVIOUS_MASTER_KEY; then send the same call again.",
    members: { retry_after: 60 },
  },
  upgrading: {
    cause: "The company's database is being brought to a new release. This call did nothing.",
    cure: "Send the same call again after the seconds of Retry-After; an upgrade takes seconds.",
    members: { retry_after: 2 },
  },
  outcome_unknown: {
    cause: "The database took the write and did not say whether it is stored.",
    cure: "Send the call again with the same Idempotency-Key: it is done once, however often it is sent. Without a key, read first whether the record is there.",
    members: { retry_after: 1 },
  },
} as const satisfies SomeHelp;
