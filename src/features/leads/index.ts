export { leadEraser } from "./leads/erase.ts";
export { leadResource } from "./leads/resource.ts";
export { eraseOldLeads, leadErasure, sweepAttachments } from "./leads/retention.ts";
