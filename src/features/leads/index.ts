export { leadEraser } from "./leads/erase.ts";
export { eraseOldLeads, leadErasure, sweepAttachments } from "./leads/retention.ts";
