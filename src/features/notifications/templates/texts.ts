import { type SQL, sql } from "drizzle-orm";
import type { RegisteredTemplate } from "#features/messaging";
import type { Language } from "#shared/text/language.ts";
import { smsTemplates } from "#tables/messaging";
import { notificationTemplates as templates } from "#tables/notifications";
import { DEFAULTS } from "../defaults/defaults.ts";
import { FRAME } from "../defaults/styles.ts";
import { ruleOf } from "../rules.ts";
import type { Channel } from "../states.ts";
import type { MailTemplate } from "../template.ts";

/** A text that the company has written in place of the usual one: the members of its channel. */
export type OwnTemplate = {
  subject?: string;
  html?: string;
  text?: string;
  template_id?: string | null;
  sender_id?: string | null;
  template_name?: string;
  template_language?: string;
};
/** The text of a message: the company's own, where it has one, and the one of this product. */
export type Text = { own: OwnTemplate | undefined; usual: MailTemplate };

export type StoredTemplate = {
  rule: string;
  channel: Channel;
  language: Language;
  content: OwnTemplate;
  updated_at: number;
  /** Of the registered SMS template that it names. */
  registered: RegisteredTemplate | null;
};

/** The SELECT of the company's own texts; `where` goes on after WHERE. */
export function selectTemplates(where: SQL): SQL<StoredTemplate> {
  return sql`SELECT json_object('rule', ${templates.rule}, 'channel', ${templates.channel},
    'language', ${templates.language}, 'updated_at', ${templates.updatedAt}, 'content', json(${templates.content}),
    'registered', iif(${smsTemplates.id} IS NULL, NULL,
      json_object('text', ${smsTemplates.text}, 'senderId', ${smsTemplates.senderId}, 'peId', ${smsTemplates.peId}))) AS snapshot
    FROM ${templates} LEFT JOIN ${smsTemplates} ON ${smsTemplates.templateId} = ${templates.content} ->> '$.template_id'
    WHERE ${where} ORDER BY ${templates.rule}, ${templates.channel}, ${templates.language}`;
}

/** The text of this product for one of a rule's audience; empty where there is none. */
export function usualText(rule: string, audience: string | undefined, language: Language): MailTemplate {
  const { subject, html } = DEFAULTS[language][`${rule}.${audience}`] ?? { subject: "", html: "" };
  return { subject, html: html === "" ? "" : `<div ${FRAME}>${html}</div>` };
}

/** The text for one of a rule's audience. The company's own is for the first of them; copies to others keep the usual one. */
export function textFor(
  {
    rule,
    channel,
    audience,
    language,
  }: { rule: string; channel: Channel; audience: string; language: Language },
  stored: readonly StoredTemplate[],
): Text & Pick<Partial<StoredTemplate>, "registered"> {
  const isFirst = ruleOf(rule)?.to[0] === audience;
  const found = stored.find(
    (one) => isFirst && one.rule === rule && one.channel === channel && one.language === language,
  );
  const usual = usualText(rule, audience, language);
  return { own: found?.content, usual, registered: found?.registered ?? null };
}
