import type { KeptFiles } from "#core/files/kept-files.ts";
import { profile } from "#tables/company";

/** The folder that the logo is kept in. */
export const LOGOS = "logos";

export const logoFiles: KeptFiles = { folder: LOGOS, path: profile.logoPath, type: profile.logoType };
