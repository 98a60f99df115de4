export { downloadResume, updateApplication } from "./applications/applications.ts";
export { applicationEraser } from "./applications/erase.ts";
export { applicationErasure, eraseOldApplications } from "./applications/retention.ts";
