export { closeLead } from "./leads/close-lead.ts";
export { leadEraser } from "./leads/erase.ts";
export { eraseOldLeads, leadErasure } from "./leads/retention.ts";
