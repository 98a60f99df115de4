export { noticeOfPayee } from "./payee-notice.ts";
export { requireReceiverRights } from "./receivers.ts";
