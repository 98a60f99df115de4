/** The release, as `API-Version`, the document and /health tell it. */
export const API_VERSION = "1.0.0";
