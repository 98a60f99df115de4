import type { Env } from "../../src/env.ts";

/** An environment in which nothing is wrong, and behind which nothing is. */
export const ENVIRONMENT = {
  CONTROL_DATABASE_URL: "https://control.example.com/",
  CONTROL_DATABASE_TOKEN: "token",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  DATABASE_PROVIDER: "sqld",
  PUBLIC_ORIGIN: "https://api.example.com",
  RATE_LIMITER: {},
  IDEMPOTENCY: {},
  SLOT_PACER: {},
  MESSAGING_QUOTA: {},
  COMPANY_CLOCK: {},
  MESSAGES: {},
  HOUSEKEEPING: {},
  DELIVERIES: {},
  CLOCK: {},
  NOTIFICATIONS: {},
  FILES: {},
  LOG: "off",
} as unknown as Env;
