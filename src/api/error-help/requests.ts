import { refused, type SomeHelp } from "./help.ts";

/** How a call is written: its body, its parameters, its headers. */
export const REQUEST_HELP = {
  invalid_json: {
    cause:
      "The body is not JSON: a comma too many, single quotes, a text that is cut off or not UTF-8; or it is nested too deep.",
    cure: "Let a library write the body, such as JSON.stringify, and send it as UTF-8.",
    message:
      "The body is not valid JSON: names and texts stand in double quotes, and no comma after the last member",
  },
  unsupported_media_type: {
    cause: "The body has a Content-Type that the operation does not read.",
    cure: "Send JSON with the header Content-Type: application/json, or the form that the message names.",
    message: "Send the body as JSON, with the header Content-Type: application/json",
  },
  payload_too_large: {
    cause: "The body is larger than the operation takes: 1 MiB of JSON, 10 MB for a file.",
    cure: "Send less at once, or a smaller file. The message has the limit.",
    message: "The body is larger than 1048576 bytes",
  },
  request_timeout: {
    cause: "No byte of the body came for 10 s, or it came so slowly that it would have kept others waiting.",
    cure: "Send it again over a better connection, or a smaller file.",
  },
  validation_failed: {
    cause:
      "Some fields are missing, of another type, out of their range, or name a record that is not there.",
    cure: "Mend each field of errors: field is its path as you sent it, code is stable, message is help.",
    ...refused("items[0].quantity", "too_small", "must be at least 0.001"),
  },
  unknown_member: {
    cause:
      "The body has a member that is nearly a known one: another case, another underscore, a letter more or less. Ignored, it would change what is sold or sent.",
    cure: "Write it as the message says. Other unknown members are ignored, but not by calls that give money back, which take none; the header X-Ignored-Members lists them.",
    ...refused("customerId", "unknown_member", "is not a member of this body: the nearest is customer_id"),
  },
  no_accepted_fields: {
    cause: "A change names no field that can be changed, or its body is not sent as JSON.",
    cure: "Send at least one of the fields that the message lists, with Content-Type: application/json.",
    message: "Accepted fields: name, description, start_date, due_date, status, completed_date",
  },
  unknown_parameter: {
    cause:
      "The address has a parameter that the operation does not know. Ignored, a misspelt filter would show too much and a misspelt dry_run would write.",
    cure: "Use the parameter that the message names. Parameters that were ignored elsewhere are listed in the header X-Ignored-Parameters.",
    ...refused(
      "serach",
      "unknown_parameter",
      "is not a parameter of this operation: it has q, limit, cursor",
    ),
  },
  unsupported_parameter: {
    cause:
      "The address has page or offset: lists have a cursor instead, so that nothing is shown twice or left out.",
    cure: "Take next_cursor of the answer's paging, and send it as cursor, until has_more is false.",
    ...refused("page", "unsupported_parameter", "is not supported: lists are paged by cursor, not by page"),
  },
  invalid_limit: {
    cause: "limit is not a whole number from 1 to 100.",
    cure: "Leave it out for 25 records, or send one from 1 to 100; take further records by cursor.",
    ...refused("limit", "invalid_limit", "must be an integer from 1 to 100"),
  },
  invalid_cursor: {
    cause:
      "The cursor was made by hand, cut off, or comes from another list, another company, or other filters.",
    cure: "Send next_cursor of the page before, as it is and with the same filters; or begin without a cursor.",
    ...refused(
      "cursor",
      "invalid_cursor",
      "must be the next_cursor of this very list, asked with the same filters",
    ),
  },
  invalid_idempotency_key: {
    cause:
      "The Idempotency-Key is empty, longer than 255 characters, or has a space or a letter that is not ASCII.",
    cure: "Send a random value for each thing that you want done, such as a UUID, and the same one with each retry.",
    message: "The Idempotency-Key must be 1 to 255 printable ASCII characters without spaces",
  },
  idempotency_key_reused: {
    cause: "The same key was used within 24 hours for this operation with another body.",
    cure: "Send a new key for a new thing. A retry must have the very body of the first call.",
  },
  idempotency_key_in_use: {
    cause: "A call with the same key still runs.",
    cure: "Send it again after the seconds of Retry-After: it gets the first call's answer.",
    members: { retry_after: 1 },
  },
  invalid_signature: {
    cause: "A callback does not have the signature or token that its provider's secret gives.",
    cure: "Compare the webhook secret at the provider with the one of the settings. The signature is of the body's very bytes.",
  },
} as const satisfies SomeHelp;
