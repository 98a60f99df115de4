import type { Key } from "../../support/company.ts";

export const KEYS = "/settings/:company/keys";
/** The path of one key, or of what is done to it. */
export const at = (key: Key, action = "") => `${KEYS}/${key.client_id}${action}`;
