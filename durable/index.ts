export { type GateAnswer, IdempotencyGate } from "./idempotency.ts";
export { type Admission, type Quota, RateLimiter } from "./rate-limiter.ts";
export { SlotLock } from "./slot-lock.ts";
