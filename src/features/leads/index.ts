export { leadResource } from "./leads/resource.ts";
export { eraseOldLeads, leadErasure, sweepAttachments } from "./leads/retention.ts";
