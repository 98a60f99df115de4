import type * as z from "zod";
import type { Scope } from "#api/operations/scopes.ts";
import type { Examples } from "./examples.ts";
import type { JsonSchema, Schemas } from "./schemas.ts";

/** What this service sends to others by itself, of one kind. */
export type Webhook = {
  name: string;
  description: string;
  /** What reads the record that it reports. */
  scope: Scope;
  /** Whether it is sent only to an endpoint that asks for it by name. */
  onDemand: boolean;
  /** What all of them have; its `data` is the record. */
  envelope: z.ZodType;
  record: z.ZodType;
};

type Reference = { $ref: string };

/** One webhook as the document describes it. */
export type DocumentedWebhook = {
  post: {
    operationId: string;
    tags: string[];
    summary: string;
    description: string;
    security: [];
    parameters: Reference[];
    requestBody: {
      required: true;
      content: { "application/json": { schema: JsonSchema; example: unknown } };
    };
    responses: Record<string, Reference>;
  };
};

export const WEBHOOK_TAG = {
  name: "Webhooks",
  description:
    "What event endpoints of a company are sent, by the type of the event. Each is a POST of this service to a URL of yours.",
};

const RESPONSES = { "2XX": "WebhookAccepted", 410: "WebhookGone", default: "WebhookFailed" };

/** The webhooks by their names. */
export function webhooksOf(
  webhooks: readonly Webhook[],
  schemas: Schemas,
  { events }: Examples,
): Record<string, DocumentedWebhook> {
  return Object.fromEntries(
    webhooks.map((webhook) => [webhook.name, { post: posted(webhook, schemas, events.get(webhook.name)) }]),
  );
}

function posted(
  { name, description, scope, onDemand, envelope, record }: Webhook,
  schemas: Schemas,
  example: unknown,
): DocumentedWebhook["post"] {
  const data = [schemas.jsonSchemaOf(record, "output"), reference("schemas", "OmittedRecord")];
  const own = {
    type: "object",
    properties: {
      type: { const: name, description: "The type of the event." },
      data: { anyOf: data, description: "The record." },
    },
  };
  const schema = { allOf: [schemas.jsonSchemaOf(envelope, "output"), own] };
  return {
    operationId: name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [WEBHOOK_TAG.name],
    summary: name,
    description: [
      `${description} \`data\` is what reads show with the scope \`${scope}\`.`,
      ...(onDemand
        ? [
            "Recorded on demand: only while an endpoint asks for this type, by its name or as one of its group.",
          ]
        : []),
    ].join("\n\n"),
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((header) => reference("parameters", header)),
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: Object.fromEntries(
      Object.entries(RESPONSES).map(([status, response]) => [status, reference("responses", response)]),
    ),
  };
}

/** What the webhooks refer to by name, besides the records. */
export const WEBHOOK_HEADERS = {
  "webhook-id": header(
    "webhook-id",
    "The event's `id`: the same in every attempt, so what has come twice is known by it.",
    { type: "string", examples: ["evt_0f3a9c1b7d5e2846a0b1c2d3"] },
  ),
  "webhook-timestamp": header(
    "webhook-timestamp",
    "When this attempt was made, in seconds since 1970. Refuse what is older than five minutes.",
    { type: "string", pattern: "^\\d+$", examples: ["1795255200"] },
  ),
  "webhook-signature": header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64, by the endpoint's secret; while two secrets hold, one of each, parted by a space. One that is right is enough.",
    { type: "string", examples: ["v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="] },
  ),
};

/** The answers of a receiver, and what each brings about. */
export const WEBHOOK_RESPONSES = {
  WebhookAccepted: { description: "Accepted. What the body of the answer says has no effect." },
  WebhookGone: { description: "The receiver wants no more events: the endpoint is disabled at once." },
  WebhookFailed: {
    description:
      "Failed, as is no answer within 15 seconds, and a redirect: it is sent again, by and by, for about three days.",
  },
};

/** A record of which the event has the id alone. */
export const OMITTED_RECORD: JsonSchema = {
  type: "object",
  description:
    "With `data_omitted`: the record is too large, or its data was erased. Read the record itself.",
  properties: { id: { type: ["string", "integer"], description: "The record's id." } },
  required: ["id"],
};

function header(name: string, description: string, schema: JsonSchema) {
  return { name, in: "header", required: true, description, schema };
}

function reference(kind: string, name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}
