export { applicationEraser } from "./applications/erase.ts";
export { applicationErasure, eraseOldApplications } from "./applications/retention.ts";
