/** The release, as `API-Version`, the document and /health state it. */
export const API_VERSION = "1.0.0";

/** What a Worker is made of: the commit, and when it was built; null where that is not known. */
export type Build = { commit: string | null; date: string | null };

/** As JSON; the build puts it in here. */
declare const BUILD: string | undefined;

/** The build that runs. */
export function buildOf(): Build {
  return typeof BUILD === "undefined" ? { commit: null, date: null } : JSON.parse(BUILD);
}
