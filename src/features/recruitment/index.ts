export { applicationErasure, eraseOldApplications, sweepResumes } from "./applications/retention.ts";
