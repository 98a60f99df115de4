import { MOST_ERRORS } from "#shared/problem.ts";
import { companySlug } from "#shared/text/slug.ts";
import { type ErrorReplies, headerComponent, REQUEST_ID } from "./error-replies.ts";
import type { Parameter } from "./parameters.ts";
import { NOT_MODIFIED } from "./replies.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";
import { OMITTED_RECORD, WEBHOOK_HEADERS, WEBHOOK_RESPONSES } from "./webhooks.ts";

/** What the operations of the document refer to by name. */
export function componentsOf(
  schemas: Schemas,
  errors: ErrorReplies,
  parameters: Record<string, Parameter>,
): Record<string, unknown> {
  return {
    securitySchemes: {
      clientId: header("X-Client-Id", "The key's id. With a publishable key (`pk_...`) it stands alone."),
      clientSecret: header("X-Client-Secret", "The secret of a secret key (`ck_...`)."),
      platformToken: { type: "http", scheme: "bearer", description: "The operator's token." },
    },
    parameters: {
      company: {
        name: "company",
        in: "path",
        required: true,
        description: "The slug of the key's own company.",
        schema: schemas.jsonSchemaOf(companySlug, "input"),
        example: "acme",
      },
      "If-Match": {
        name: "If-Match",
        in: "header",
        description:
          "The record's `version` in quotes, as its `ETag`, strong or weak: another one by now is 409 `version_conflict`. Without a value it counts as not sent: servers and proxies drop it.",
        schema: { type: "string", pattern: '^((W/)?"\\d{1,15}"|\\*)$' },
      },
      "Idempotency-Key": {
        name: "Idempotency-Key",
        in: "header",
        description: "Makes a retry safe: the same key and body give the first answer again, for 24 hours.",
        schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
      },
      ...sorted(parameters),
      ...WEBHOOK_HEADERS,
    },
    examples: sorted(errors.examples),
    responses: { ...sorted(errors.responses), NotModified: NOT_MODIFIED, ...WEBHOOK_RESPONSES },
    headers: namedShort({
      "X-Request-Id": described("Names this call in the log.", { type: "string", examples: [REQUEST_ID] }),
      "X-RateLimit-Limit": described("Calls the key may make in 60 seconds."),
      "X-RateLimit-Remaining": described("Calls left of them."),
      "X-RateLimit-Reset": described("Seconds until all of them are there again."),
      "X-Messaging-Cap-Limit": described("Messages the key may send in the company's day."),
      "X-Messaging-Cap-Remaining": described("Messages left of them."),
      "X-Messaging-Cap-Reset": described("Seconds until the company's midnight."),
      "X-Ignored-Members": described(
        "Members of the body that the operation does not know and has ignored: paths, percent-encoded, at most 20.",
        { type: "string", examples: ["items[0].colour"] },
      ),
      "X-Ignored-Parameters": described(
        "Parameters of the address that the operation does not know and has ignored, in the same form.",
        { type: "string", examples: ["serach"] },
      ),
      "WWW-Authenticate": described("Which credentials the operation takes.", {
        type: "string",
        examples: ['ApiKey realm="company", headers="X-Client-Id X-Client-Secret"'],
      }),
      Allow: described("The methods that the address answers.", { type: "string", examples: ["GET, PATCH"] }),
      "Retry-After": described("Seconds to wait before the next try."),
      ETag: described("The record's `version`, in quotes.", { type: "string", examples: ['"3"'] }),
      "Idempotent-Replayed": described("There when this is the answer to an earlier call.", {
        type: "string",
        enum: ["true"],
      }),
    }),
    schemas: {
      ...sorted(schemas.shown()),
      OmittedRecord: OMITTED_RECORD,
      Paging: PAGING,
      Problem: PROBLEM,
    },
  };
}

const PAGING: JsonSchema = {
  type: "object",
  description: "Where the list goes on.",
  properties: {
    next_cursor: { type: ["string", "null"], description: "Send it as `cursor` for the next page." },
    has_more: { type: "boolean", description: "Whether another page follows." },
  },
  required: ["next_cursor", "has_more"],
};

const FIELD: JsonSchema = {
  type: "object",
  properties: {
    field: { type: "string", description: "Its path as it was sent.", examples: ["items[0].quantity"] },
    code: { type: "string", examples: ["too_small"] },
    message: { type: "string", examples: ["must be at least 0.001"] },
  },
  required: ["field", "code", "message"],
};

const PROBLEM: JsonSchema = {
  type: "object",
  description: "Names as in RFC 9457. Some codes have further members, such as `required_scope`.",
  properties: {
    success: { const: false },
    type: {
      type: "string",
      format: "uri",
      description: "The code as an address of this host, which explains it.",
    },
    title: { type: "string", description: "The code in words." },
    status: { type: "integer", description: "The status of the reply." },
    code: { type: "string", description: "Stable: what a program should look at." },
    message: { type: "string", description: "Help for the reader; may change." },
    detail: { type: "string", description: "The same as `message`." },
    errors: {
      type: "array",
      items: FIELD,
      maxItems: MOST_ERRORS,
      description: `The refused fields, where there are any: the first ${MOST_ERRORS} of them.`,
    },
    error_count: {
      type: "integer",
      description: "How many fields are refused, where `errors` does not have all.",
    },
    field: {
      type: "string",
      description: "With a 409: the member of the body that another record has already.",
      examples: ["employee_code"],
    },
    resource: {
      type: "string",
      description: "With `not_found`: what there is none of, such as `invoice`.",
      examples: ["invoice"],
    },
    request_id: { type: "string", description: "The same as `X-Request-Id`.", examples: [REQUEST_ID] },
  },
  required: ["success", "type", "title", "status", "code", "message", "detail", "request_id"],
};

function namedShort(headers: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(headers).map(([name, header]) => [headerComponent(name), header]));
}

function header(name: string, description: string) {
  return { type: "apiKey", in: "header", name, description };
}

function described(description: string, schema: JsonSchema = { type: "integer" }) {
  return { description, schema };
}

function sorted<Component>(components: Record<string, Component>): Record<string, Component> {
  return Object.fromEntries(Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1)));
}
