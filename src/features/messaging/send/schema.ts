import * as z from "zod";
import { CHATAPP_USER } from "#shared/contact/chatapp-user.ts";
import { emailAddress } from "#shared/contact/email-address.ts";
import { plainPhone } from "#shared/contact/phone.ts";
import { sendAt, timestamp } from "#shared/fields/instant.ts";
import { cleanText, pastedText, textAsSent } from "#shared/fields/text.ts";
import { check } from "#shared/validation.ts";
import { CHANNELS } from "../messages/schema.ts";

const WARNINGS = ["dlt_template_mismatch", "outside_window", "provider_paused", "address_left_out"] as const;
const MOST_RECIPIENTS = 50;
const MOST_HTML_BYTES = 256 * 1024;
const encoder = new TextEncoder();

// Not trimmed and not normalised: the registry compares it letter by letter.
const smsText = z
  .string()
  .min(1, "must not be empty")
  .max(1_000, "must have at most 1000 characters")
  .refine((text) => !/\0/.test(text) && text.isWellFormed(), {
    params: { code: "invalid_characters" },
    error: "must not contain NUL characters or broken Unicode",
  });

export const SmsSend = z.object({
  to: z
    .string()
    .overwrite(plainPhone)
    .regex(/^\d{8,15}$/, "must be 8 to 15 digits only, without +")
    .meta({ description: "Only digits, with the country code first and without `+`." }),
  message: smsText.meta({ description: "In India, exactly the registered template with its slots filled." }),
  sender_id: cleanText({ max: 11 }).optional().describe("The approved sender. Default: the provider's."),
  template_id: cleanText({ max: 64 }).optional().meta({ description: "The registered DLT template." }),
  pe_id: cleanText({ max: 64 }).optional().describe("The DLT principal entity. Default: the provider's."),
  type: z
    .enum(["transactional", "promotional"])
    .default("transactional")
    .describe("Carriers have other rules for promotional ones."),
  send_at: sendAt,
});

const variable = textAsSent({ max: 1_024 }).refine((text) => !/[\r\n\t]| {4}/.test(text), {
  params: { code: "invalid_characters" },
  error: "must not contain line ends, tabs, or four spaces in a row",
});
const Template = z.object({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, "must be the name of an approved template"),
  language: z.string().regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/, "must be a language such as en or en_US"),
  variables: z.array(variable).max(60, "must have at most 60 items").default([]),
});
const Text = z.object({
  body: pastedText({ max: 4_096 }),
});

const CHATAPP_TO = new RegExp(`^\\d{1,20}$|${CHATAPP_USER.source}`);

export const ChatappSend = z
  .object({
    to: z
      .string()
      .overwrite(plainPhone)
      .regex(CHATAPP_TO, "must be digits, or a user id such as IN.123")
      .describe("A number in digits, or the user id of a person who hides it, as the inbox has it."),
    type: z.enum(["template", "text"]).default("template").describe("An approved template, or free text."),
    send_at: sendAt,
    // Judged below, for the other type's object is ignored.
    template: z
      .looseObject({})
      .optional()
      .meta({
        description: "For `template`: `name`, `language`, and `variables` (texts, at most 60).",
        properties: {
          name: { type: "string" },
          language: { type: "string" },
          variables: {
            type: "array",
            items: { type: "string" },
            maxItems: 60,
            description: "What its placeholders stand for, in their order.",
          },
        },
      }),
    text: z
      .looseObject({})
      .optional()
      .meta({
        description: "For `text`: `body`. Delivered only within 24 hours of the person's last message.",
        properties: { body: { type: "string", maxLength: 4_096, description: "The text of the message." } },
      }),
  })
  .transform(({ to, type, send_at, template, text }, context) => {
    const [field, schema, value] =
      type === "template" ? (["template", Template, template] as const) : (["text", Text, text] as const);
    const parsed = check(schema, value);
    if (!parsed.success) {
      for (const issue of parsed.error.issues)
        context.issues.push({ ...issue, path: [field, ...issue.path] } as z.core.$ZodRawIssue);
      return z.NEVER;
    }
    return { to, send_at, content: { type, [field]: parsed.data } as ChatappContent };
  });

type ChatappContent =
  | { type: "template"; template: z.output<typeof Template> }
  | { type: "text"; text: z.output<typeof Text> };

const recipient = z.union([
  emailAddress.transform((email) => ({ email, name: null })),
  z
    .object({ email: emailAddress, name: cleanText({ max: 255 }).optional() })
    .transform(({ email, name }) => ({ email, name: name === undefined || name === "" ? null : name })),
]);

export const EmailSend = z.object({
  to: z
    .unknown()
    .meta({
      anyOf: [
        { type: "string", format: "email" },
        {
          type: "object",
          properties: {
            email: { type: "string", format: "email" },
            name: { type: "string", maxLength: 255 },
          },
          required: ["email"],
        },
        {
          type: "array",
          minItems: 1,
          maxItems: MOST_RECIPIENTS,
          items: {
            anyOf: [
              { type: "string" },
              {
                type: "object",
                properties: { email: { type: "string" }, name: { type: "string" } },
                required: ["email"],
              },
            ],
          },
        },
      ],
      description: "An address, an object of `email` and `name`, or up to 50 of either.",
    })
    .transform(toRecipients),
  subject: cleanText({ min: 1, max: 255 }),
  html: z
    .string()
    .min(1, "must not be empty")
    .refine((html) => html.length <= MOST_HTML_BYTES && encoder.encode(html).length <= MOST_HTML_BYTES, {
      params: { code: "too_big" },
      error: `must have at most ${MOST_HTML_BYTES} bytes`,
    })
    .meta({ description: "The API removes scripts, frames, forms and event handlers." }),
  purpose: z.enum(["transactional", "marketing"]).default("transactional").meta({
    description:
      "A marketing e-mail carries a link and headers to unsubscribe with one click. People who unsubscribed get no marketing, but still get transactional e-mails.",
  }),
  send_at: sendAt,
});

type Recipient = { email: string; name: string | null };

/** One or many; an address given twice, whatever its case, counts once. The limit is on what was sent. */
function toRecipients(value: unknown, context: z.RefinementCtx): Recipient[] {
  if (value === undefined) {
    context.addIssue({ code: "invalid_type", expected: "array", input: value });
    return z.NEVER;
  }
  const list = Array.isArray(value) ? value : [value];
  if (list.length < 1 || list.length > MOST_RECIPIENTS) {
    context.addIssue({
      code: "custom",
      params: { code: list.length < 1 ? "too_small" : "too_big" },
      message: `must have 1 to ${MOST_RECIPIENTS} recipients`,
    });
    return z.NEVER;
  }
  const known = new Map<string, Recipient>();
  for (const [index, item] of list.entries()) {
    const parsed = recipient.safeParse(item);
    if (!parsed.success) {
      context.addIssue({
        code: "custom",
        params: { code: "invalid_format" },
        message: "must be an e-mail address, or an object with email and name",
        path: Array.isArray(value) ? [index] : [],
      });
      continue;
    }
    const key = parsed.data.email.toLowerCase();
    if (!known.has(key)) known.set(key, parsed.data);
  }
  return [...known.values()];
}

const accepted = {
  created_at: timestamp,
  send_at: timestamp.optional().meta({ description: "There when it was scheduled." }),
  resent_from: z.string().optional().meta({ description: "The message that it was sent again of." }),
  warnings: z.array(z.enum(WARNINGS)).optional().meta({
    description:
      "Present if the message will probably be dropped on its way, or waits (`provider_paused`) until its provider accepts the company's credentials again; `address_left_out`: a link or picture of the mail has none, for it was not of http, https, mailto, tel or sms (a picture: http, https or cid).",
  }),
};

export const SentMessage = z
  .object({
    id: z.string(),
    channel: z.enum(CHANNELS),
    status: z.enum(["queued", "sent"]),
    to: z.string(),
    ...accepted,
  })
  .meta({ id: "SentMessage" });

export const SentEmail = z
  .object({
    id: z.string(),
    channel: z.literal("email"),
    status: z.literal("sent"),
    to: z.array(z.string()),
    sent_count: z.int().meta({ description: "The recipients that the message was accepted for." }),
    failed: z
      .array(z.object({ email: z.string(), code: z.string(), message: z.string() }))
      .meta({ description: "The recipients that will not get the message." }),
    ...accepted,
  })
  .meta({ id: "SentEmail" });

export type Warning = (typeof WARNINGS)[number];
export type SmsSend = z.output<typeof SmsSend>;
export type ChatappSend = z.output<typeof ChatappSend>;
export type EmailSend = z.output<typeof EmailSend>;
