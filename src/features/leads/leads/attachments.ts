import type { KeptFiles } from "#core/files/kept-files.ts";
import { leadSubmissions } from "#tables/leads";

/** The folder that the files of submissions are kept in. */
export const ATTACHMENTS = "leads";

export const attachmentFiles: KeptFiles = {
  folder: ATTACHMENTS,
  path: leadSubmissions.attachmentPath,
  type: leadSubmissions.attachmentType,
};
