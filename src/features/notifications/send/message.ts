import type { ReadCtx } from "#core/context.ts";
import {
  type ActiveProvider,
  emailContent,
  type NewMessage,
  type RegisteredTemplate,
  smsSaid,
} from "#features/messaging";
import type { EmailSaid } from "#providers/email";
import { e164, phoneDigits } from "#shared/contact/phone.ts";
import { cleanHtml } from "#shared/html/clean-html.ts";
import { quoted } from "#shared/text/quoted.ts";
import type { Channel } from "../states.ts";
import { filled, filledHtml, LINK, type Values, variablesIn } from "../template.ts";
import type { OwnTemplate, Text } from "../templates/texts.ts";
import type { Person } from "./facts.ts";

// Carriers there deliver registered templates alone.
const REGISTERED_ONLY = "IN";
const MOST_SUBJECT = 255;
const MOST_SMS = 1_000;
const MOST_VARIABLE = 1_024;
// Of a registered template, `{#var#}`.
const MOST_REGISTERED = 30;
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

type Letter = {
  channel: Channel;
  rule: string;
  recipients: readonly Person[];
  text: Text;
  values: Values;
  fromName: string | null;
  calendarOf: EmailSaid["calendarOf"];
  provider: ActiveProvider;
  /** The registered SMS template that the text names. */
  registered: RegisteredTemplate | undefined;
};

/** The message of a notification, or why there is none. */
export async function messageOf(
  ctx: ReadCtx,
  letter: Letter,
): Promise<NewMessage | "no_address" | "no_template"> {
  const { channel, rule, provider, text, values } = letter;
  const recipients = letter.recipients.flatMap((person) => addressed(ctx, channel, person));
  if (recipients.length === 0) return "no_address";
  const { own, usual } = text;
  if (channel === "email") {
    const subject = quoted(filled(own?.subject ?? usual.subject, values), MOST_SUBJECT);
    // Cleaned first: so its attributes are those that were judged when it was written, whatever the values are.
    const html = filledHtml(await cleanHtml(own?.html ?? usual.html, { styles: true }), values);
    const content = { ...emailContent(subject, html, null, letter.fromName), calendarOf: letter.calendarOf };
    return { channel, provider, rule, details: { subject }, content, recipients };
  }
  if (channel === "sms") {
    if (ctx.company.country === REGISTERED_ONLY && own?.template_id == null) return "no_template";
    const message = smsText(ctx, text, values);
    const sent = { message, type: "transactional" as const, template_id: own?.template_id ?? undefined };
    const said = smsSaid({ ...sent, sender_id: own?.sender_id ?? undefined }, provider, letter.registered);
    return { channel, provider, rule, ...said, recipients };
  }
  if (own?.template_name == null) return "no_template";
  const template = {
    name: own.template_name,
    language: own.template_language ?? "en",
    variables: inOrder(own, values),
  };
  const details = { type: "template", template_name: template.name };
  return { channel, provider, rule, details, content: { type: "template", template }, recipients };
}

/** The values as carriers in India deliver them. A link is whole, for a part of one leads nowhere. */
function cut(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) =>
    LINK.test(name) ? [name, value] : [name, value.slice(0, MOST_REGISTERED).replace(HALF_CHARACTER, "")],
  );
  return Object.fromEntries(entries);
}

/** What an SMS says: in India with values as carriers deliver them. */
export function smsText({ company }: Pick<ReadCtx, "company">, text: Text, values: Values): string {
  return shortText(text, company.country === REGISTERED_ONLY ? cut(values) : values).slice(0, MOST_SMS);
}

/** What a message says where it has no subject and no HTML. */
export function shortText({ own, usual }: Text, values: Values): string {
  return filled(own?.text ?? `{{company.name}}: ${usual.subject}`, values);
}

/** The values of a chat-app's template, in the order of its variables. */
function inOrder({ text }: OwnTemplate, values: Values): string[] {
  // An empty value is refused, and one with line ends or many spaces.
  return variablesIn(text ?? "").map((name) =>
    quoted((values[name] || "–").replace(/\s+/g, " ").trim(), MOST_VARIABLE),
  );
}

function addressed({ company }: ReadCtx, channel: Channel, { name, email, phone }: Person) {
  if (channel === "email") return email === null || email === "" ? [] : [{ address: email, name }];
  const number = phone === null ? null : e164(phone, company.country);
  return number === null ? [] : [{ address: phoneDigits(number) }];
}
