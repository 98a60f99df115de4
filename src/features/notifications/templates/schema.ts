import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { timestamp } from "#shared/fields/instant.ts";
import { cleanText, pastedText, textAsSent } from "#shared/fields/text.ts";
import { RULE_NAMES } from "../rules.ts";
import { CHANNELS, language } from "../schema.ts";

const MOST_HTML = 100_000;

export const TemplateParams = z.object({
  rule: z.enum(RULE_NAMES).meta({
    description: "The rule, as in the settings of notifications.",
    examples: ["booking_confirmed"],
  }),
  channel: z.enum(CHANNELS),
  language,
});

export const TemplatePut = z.object({
  subject: cleanText({ min: 1, max: 255 }).optional().meta({ description: "For an e-mail, with `html`." }),
  html: pastedText({ max: MOST_HTML }).optional().meta({
    description:
      "Cleaned as the HTML of any e-mail is; each variable is put in as text. Inside a tag only a link variable may stand, as the whole `href`; after an address a variable needs a space.",
  }),
  text: textAsSent({ max: 1_000 }).optional().meta({
    description:
      "For an SMS. For a chat-app message, its variables, in their order, are those of the approved template.",
  }),
  template_id: cleanText({ min: 1, max: 64 })
    .optional()
    .meta({ description: "For an SMS: the registered DLT template. Without it, no SMS is sent in India." }),
  sender_id: cleanText({ min: 1, max: 11 }).optional().meta({ description: "For an SMS." }),
  template_name: z
    .string()
    .regex(/^[a-z0-9_]{1,512}$/, "must be the name of an approved template")
    .optional()
    .meta({ description: "For a chat-app message, with `template_language`." }),
  template_language: z
    .string()
    .regex(/^[a-z]{2,3}(?:_[A-Z]{2})?$/, "must be a language such as en or en_US")
    .optional()
    .meta({ description: "The language that the template was approved in." }),
});

const place = { rule: z.string(), channel: z.enum(CHANNELS), language };
const text = z.string().nullable();
export const NotificationTemplate = z
  .object({
    ...place,
    is_own: z.boolean().meta({ description: "True: the company's own text. False: this product's text." }),
    subject: text.describe("Null for other channels than e-mail."),
    html: text.describe("The body of the e-mail; null for other channels."),
    text: text.describe("Null for what has none."),
    template_id: text.describe("As registered for DLT; null where none is needed."),
    sender_id: text.describe("The approved sender; null for the provider's."),
    template_name: text.describe("The name of the provider's template."),
    template_language: text.describe("The language of the provider's template."),
    variables: z
      .array(z.string())
      .meta({ description: "The variables that the text may use, as in `{{customer.name}}`." }),
    updated_at: timestamp.nullable().describe("Null: it is as delivered."),
  })
  .meta({ id: "NotificationTemplate" });

export const DeletedTemplate = z
  .object({ ...place, deleted: z.literal(true) })
  .meta({ id: "DeletedNotificationTemplate" });

export const Preview = z.object({
  record_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: "A record of the kind that the rule is about. Default: an example." }),
});
export const Previewed = z
  .object({
    subject: text.describe("Null for other channels than e-mail."),
    html: text.describe("The body of the e-mail; null for other channels."),
    text: z.string(),
    warnings: z
      .array(z.enum(["dlt_template_mismatch", "text_cut"]))
      .optional()
      .describe(
        "`dlt_template_mismatch`: the text of an SMS differs from the registered template that it names. `text_cut`: it is longer than carriers deliver, in India also a value of it, and is sent as `text` has it.",
      ),
  })
  .meta({ id: "NotificationPreview" });

export const TemplateTest = z.object({
  to: z
    .union([emailAddress, z.string().regex(/^\d{8,15}$/, "must be 8 to 15 digits")], {
      error: "must be an e-mail address, or for the other channels 8 to 15 digits",
    })
    .meta({ description: "An e-mail address. For the other channels, the digits of a number." }),
});
export const TestSent = z
  .object({ message_id: z.string(), channel: z.enum(CHANNELS), to: z.string() })
  .meta({ id: "SentTestNotification" });

export type TemplateParams = z.output<typeof TemplateParams>;
export type TemplatePut = z.output<typeof TemplatePut>;
export type Preview = z.output<typeof Preview>;
export type TemplateTest = z.output<typeof TemplateTest>;
