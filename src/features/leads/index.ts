export { eraseOldLeads, sweepAttachments } from "./leads/retention.ts";
