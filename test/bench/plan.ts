/** A request that an operation makes, to its database or to an outside service. */
export type Call = { url: string; authorization: string; body: string };

/** What one operation asks of others as the API does, in order. */
export type Plan = { status: number; requests: Call[]; list: boolean };

/** What stands in a plan for the values of a write that must be new each time. */
export const FRESH_ID = "{fresh id}";
export const FRESH_START = "{fresh start}";
export const FRESH_END = "{fresh end}";
export const FRESH_TOKEN = "{fresh token}";
