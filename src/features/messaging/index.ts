export {
  optoutEraser,
  optoutErasure,
  suppressionEraser,
  suppressionErasure,
} from "./contacts/erase.ts";
export { dispatchTask } from "./dispatch/jobs.ts";
export { inboundEraser, inboundOfPersonErasure, windowEraser } from "./erase/inbound.ts";
export { eraseRecipients, recipientEraser, recipientErasure } from "./erase/recipients.ts";
export {
  type ActiveProvider,
  activeProvider,
  platformMailer,
  requireProvider,
} from "./providers/active-provider.ts";
export { acceptUnderCeiling, acceptWithin, requireAhead } from "./send/accept.ts";
export { type AcceptedRow, selectAccepted } from "./send/accepted.ts";
export { requeuing } from "./send/requeuing.ts";
export { emailContent } from "./send/send-email.ts";
export { type RegisteredTemplate, smsSaid, warningsOf } from "./send/send-sms.ts";
export { recipientsSince, spentByAll, spentByKey } from "./send/spent-quota.ts";
export { type NewMessage, storeMessage } from "./send/store-message.ts";
export { messageIdAt, newMessageId } from "./timed-ids.ts";
