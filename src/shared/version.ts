/** The release, as `API-Version`, the document and /health state it. */
export const API_VERSION = "1.0.0";
