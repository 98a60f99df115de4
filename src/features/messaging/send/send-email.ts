import type * as z from "zod";
import { read } from "#core/write/replay.ts";
import type { EmailContent } from "#providers/email";
import { cleanHtml, htmlToText, lacksAddress } from "#shared/html/clean-html.ts";
import { mailDocument } from "#shared/html/mail-document.ts";
import { fieldProblem } from "#shared/problem.ts";
import { activeProvider, requireProvider } from "../providers/active-provider.ts";
import { acceptMessage, type SendCtx } from "./accept.ts";
import type { AcceptedRow } from "./accepted.ts";
import type { EmailSend } from "./schema.ts";

/** Accepts an e-mail, cleaned; each recipient gets one of their own, so none sees another's address. */
export async function sendEmail(ctx: SendCtx, _params: unknown, body: EmailSend): Promise<AcceptedRow> {
  const html = await cleanHtml(body.html, { styles: true });
  if (html === "")
    throw fieldProblem("html", "html_empty", "has nothing left once it is cleaned", "html_empty");
  const [found] = await read(ctx, [activeProvider(ctx, "email")]);
  const provider = requireProvider(ctx, "email", found);
  const at = `${ctx.origin}/u/${ctx.company.slug}`;
  const message = {
    channel: "email" as const,
    provider,
    details: { subject: body.subject },
    content: emailContent(body.subject, html, body.purpose === "marketing" ? at : null),
    recipients: body.to.map(({ email, name }) => ({ address: email, name })),
    sendAt: body.send_at,
  };
  return acceptMessage(ctx, message, lacksAddress(html) ? ["address_left_out"] : []);
}

/** What is sent of an e-mail: its HTML as a document, and its words for who reads plain text; of marketing where to unsubscribe. */
export function emailContent(
  subject: string,
  html: string,
  unsubscribeAt: string | null = null,
  fromName: string | null = null,
): z.output<typeof EmailContent> {
  return {
    subject,
    html: mailDocument(subject, html),
    text: htmlToText(html),
    unsubscribeAt,
    fromName,
    calendarOf: null,
  };
}
