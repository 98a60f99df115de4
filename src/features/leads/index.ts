export { eraseOldLeads, leadErasure, sweepAttachments } from "./leads/retention.ts";
