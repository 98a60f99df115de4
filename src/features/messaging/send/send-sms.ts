import { eq } from "drizzle-orm";
import { read } from "#core/write/replay.ts";
import { smsTemplates } from "#tables/messaging";
import { type ActiveProvider, activeProvider, requireProvider } from "../providers/active-provider.ts";
import { matchesTemplate } from "../templates/matches-template.ts";
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
  const said = smsSaid(body, provider, template);
  const recipients = [{ address: body.to }];
  const message = { channel: "sms" as const, provider, ...said, recipients, sendAt: body.send_at };
  return acceptMessage(ctx, message, said.details.warnings);
}

type Said = Pick<SmsSend, "message" | "type" | "sender_id" | "template_id" | "pe_id">;
/** A template that carriers deliver, as its sender registered it. */
export type RegisteredTemplate = { text: string; senderId: string | null; peId: string | null };

/** What is sent of an SMS and what reads show of it, with the sender and the entity of its registered template, or else of the provider. */
export function smsSaid(body: Said, provider: ActiveProvider, template: RegisteredTemplate | undefined) {
  const { default_sender_id, pe_id } = provider.config as Record<string, string | undefined>;
  const senderId = body.sender_id || template?.senderId || default_sender_id || null;
  const templateId = body.template_id || null;
  const { message: text, type } = body;
  const peId = body.pe_id || template?.peId || pe_id || null;
  const warnings = warningsOf(text, template);
  return {
    details: {
      ...segmentsOf(text),
      ...{ type, sender_id: senderId, template_id: templateId },
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    content: { text, senderId, templateId, peId, type },
  };
}

/** What a text that is not its registered template is sent with. */
export function warningsOf(
  text: string,
  template: RegisteredTemplate | undefined,
): "dlt_template_mismatch"[] {
  return template !== undefined && !matchesTemplate(template.text, text) ? ["dlt_template_mismatch"] : [];
}
