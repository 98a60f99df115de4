export { applicationEraser } from "./applications/erase.ts";
export { applicationErasure, eraseOldApplications, sweepResumes } from "./applications/retention.ts";
