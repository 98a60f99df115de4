export { eraseOldApplications, sweepResumes } from "./applications/retention.ts";
