import type { KeptFiles } from "#core/files/kept-files.ts";
import { logoFiles } from "../features/company/profile/logo-files.ts";
import { attachmentFiles } from "../features/leads/leads/attachments.ts";
import { resumeFiles } from "../features/recruitment/applications/resumes.ts";

/** All files that the records of a company hold. */
export const COMPANY_FILES: readonly KeptFiles[] = [attachmentFiles, logoFiles, resumeFiles];
