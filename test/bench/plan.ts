/** The database requests of one operation as the API sends them: their bodies, in order, as text. */
export type Plan = { status: number; requests: string[]; list: boolean };

/** What stands in a plan for the values of a write that must be new each time. */
export const FRESH_ID = "{fresh id}";
export const FRESH_TOKEN = "{fresh token}";
