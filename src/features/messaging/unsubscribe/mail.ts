import type { HmacCtx, ReadCtx } from "#core/context.ts";
import type { EmailSaid } from "#providers/email";
import { unsubscribeToken } from "./token.ts";

const END = "</body></html>";

/** What one recipient of an e-mail is sent: of marketing with the address to unsubscribe at, at its foot and as a header. */
export async function withUnsubscribing(
  ctx: ReadCtx & HmacCtx,
  mail: EmailSaid,
  recipient: { id: number; address: string },
): Promise<EmailSaid & { unsubscribeUrl: string | null }> {
  if (mail.unsubscribeAt === null) return { ...mail, unsubscribeUrl: null };
  const unsubscribeUrl = `${mail.unsubscribeAt}/${await unsubscribeToken(ctx, recipient)}`;
  const body = mail.html.endsWith(END) ? mail.html.slice(0, -END.length) : mail.html;
  return {
    ...mail,
    html: `${body}<p style="font-size:smaller"><a href="${unsubscribeUrl}">Unsubscribe</a></p>${END}`,
    text: `${mail.text}\n\nUnsubscribe: ${unsubscribeUrl}`,
    unsubscribeUrl,
  };
}
