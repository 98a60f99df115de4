export { type CompanyClient, type CompanyClientOptions, createCompanyClient } from "./client.ts";
export { ApiError, NoAnswerError, type Problem } from "./errors.ts";
export type { components, paths } from "./types.d.ts";
export { type Event, verifyWebhook } from "./webhook.ts";
