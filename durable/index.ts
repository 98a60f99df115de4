export { CompanyClock, type DueJob, declareUpgrade, type Upgrade } from "./company-clock.ts";
export { type GateAnswer, IdempotencyGate } from "./idempotency-gate.ts";
export { MessagingQuota, type QuotaAnswer, type QuotaRequest } from "./messaging-quota.ts";
export { type Admission, type Quota, RateLimiter } from "./rate-limiter.ts";
export { SlotPacer } from "./slot-pacer.ts";
