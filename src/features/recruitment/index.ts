export { eraseOldApplications, sweepResumes } from "./retention.ts";
