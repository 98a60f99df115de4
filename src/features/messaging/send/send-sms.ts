import { eq } from "drizzle-orm";
import { read } from "#platform/write/operation-memory.ts";
import { activeProvider, requireProvider } from "../providers/active-provider.ts";
import { matchesTemplate } from "../templates/matches-template.ts";
import { smsTemplates } from "../templates/tables.ts";
import { acceptMessage, type SendCtx } from "./accept.ts";
import type { AcceptedRow } from "./accepted.ts";
import type { SmsSend } from "./schema.ts";
import { segmentsOf } from "./segments.ts";

/** Accepts an SMS. A text that is not its registered template is sent all the same, with a warning: the carrier decides. */
export async function sendSms(ctx: SendCtx, _params: unknown, body: SmsSend): Promise<AcceptedRow> {
  const [found, [template]] = await read(ctx, [
    activeProvider(ctx, "sms"),
    ctx.db
      .select()
      .from(smsTemplates)
      .where(eq(smsTemplates.templateId, body.template_id ?? "")),
  ]);
  const provider = requireProvider(ctx, "sms", found);
  const { default_sender_id, pe_id } = provider.config as Record<string, string | undefined>;
  const senderId = body.sender_id || template?.senderId || default_sender_id || null;
  const templateId = body.template_id || null;
  const mismatch = template !== undefined && !matchesTemplate(template.text, body.message);
  return acceptMessage(
    ctx,
    {
      channel: "sms",
      provider,
      details: {
        ...segmentsOf(body.message),
        type: body.type,
        sender_id: senderId,
        template_id: templateId,
      },
      content: {
        text: body.message,
        senderId,
        templateId,
        peId: body.pe_id || template?.peId || pe_id || null,
        type: body.type,
      },
      recipients: [{ address: body.to }],
      sendAt: body.send_at,
    },
    mismatch ? ["dlt_template_mismatch"] : [],
  );
}
