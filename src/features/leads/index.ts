export { eraseOldLeads, sweepAttachments } from "./retention.ts";
