import type { KeptFiles } from "#core/files/kept-files.ts";
import { applications } from "#tables/recruitment";

/** The folder that the files of applications are kept in. */
export const RESUMES = "resumes";

export const resumeFiles: KeptFiles = {
  folder: RESUMES,
  path: applications.resumePath,
  type: applications.resumeType,
};
