export { applicationEraser } from "./applications/erase.ts";
export { applicationResource } from "./applications/resource.ts";
export { applicationErasure, eraseOldApplications, sweepResumes } from "./applications/retention.ts";
export { jobResource } from "./jobs/resource.ts";
