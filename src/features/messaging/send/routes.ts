import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { MessageParams } from "../messages/schema.ts";
import { renderSent, renderSentEmail } from "./accepted.ts";
import { requeuing } from "./requeuing.ts";
import { resendMessage } from "./resend-message.ts";
import { ChatappSend, EmailSend, SentEmail, SentMessage, SmsSend } from "./schema.ts";
import { sendChatapp } from "./send-chatapp.ts";
import { sendEmail } from "./send-email.ts";
import { sendSms } from "./send-sms.ts";

// HTML of 256 KiB, however much of it its JSON escapes.
const EMAIL_BODY_BYTES = 1024 * 1024;
const QUOTA =
  "Counts against the key's messaging rate (30 in any 60 seconds) and daily cap (1,000 recipients a day of the company's time zone).";
const REFUSALS = ["no_active_provider", "messaging_rate_limited", "messaging_daily_cap"] as const;

export const sendRoutes = new Router("Messaging", "/", {
  record: { schema: SentMessage, render: renderSent },
})
  .post({ sendSms: requeuing(sendSms) }, "/sms", {
    changes: ["message"],
    status: 202,
    summary: "Send an SMS",
    description: `The answer means accepted, not delivered: read the message for its status. In India, the carrier drops a text that differs from its registered template, although the API accepts it. ${QUOTA}`,
    scope: "messages:sms:send",
    body: SmsSend,
    problems: REFUSALS,
  })
  .post({ sendChatapp: requeuing(sendChatapp) }, "/chatapp", {
    changes: ["message"],
    status: 202,
    summary: "Send a chat-app message",
    description: `A template that the provider approved, or free text within 24 hours of the person's last message. Recipients must have opted in. ${QUOTA}`,
    scope: "messages:chatapp:send",
    body: ChatappSend,
    problems: REFUSALS,
  })
  .post({ sendEmail: requeuing(sendEmail) }, "/email", {
    changes: ["message"],
    status: 202,
    summary: "Send an e-mail",
    description: `Each recipient gets a separate e-mail, from the company's e-mail provider or else the platform's mailer. \`from\` is not accepted. ${QUOTA}`,
    scope: "messages:email:send",
    body: EmailSend,
    bodyLimit: EMAIL_BODY_BYTES,
    record: { schema: SentEmail, render: renderSentEmail },
    problems: ["html_empty", ...REFUSALS],
  })
  .post({ resendMessage: requeuing(resendMessage) }, "/messages/:id/resend", {
    changes: ["message"],
    status: 202,
    summary: "Send a message again",
    description: `Sends a new message to the recipients that failed, or to all if none failed. The key needs the scope of the message's channel. Refused while the message is being sent, and once its content is erased. ${QUOTA}`,
    scope: "messages:sms:send",
    orScopes: ["messages:chatapp:send", "messages:email:send"],
    params: MessageParams,
    record: {
      schema: z.union([SentMessage, SentEmail]).meta({ id: "ResentMessage" }),
      render: (row) => (row.channel === "email" ? renderSentEmail(row) : renderSent(row)),
    },
    problems: ["invalid_status", ...REFUSALS],
  });
