import { test } from "vitest";
import { openCompany } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";
import { liveThrough } from "./credit-world.ts";

// Each run is two invoices. More by hand: CREDIT_RUNS=5000 npm run model
const RUNS = Number(process.env.CREDIT_RUNS ?? 50);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const LANES = 8;

test(`whatever is credited, paid, paid out, applied and voided, the paise are those of the model (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 2_000,
}, async () => {
  const company = await openCompany({ state: "Karnataka", gstin: "29AABCR1718E1ZL" });
  await company.raiseLimit();
  let next = 0;
  const lane = async () => {
    while (next < RUNS) await liveThrough(company, SEED + next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await expectSound(company);
});
