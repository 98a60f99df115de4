import { test } from "vitest";
import { REGISTERED } from "../features/commerce.ts";
import { openBusy } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";
import { liveThrough } from "./credits.ts";
import { SEED } from "./draw.ts";
import { runs } from "./world.ts";

// Each run is two invoices. More by hand: CREDIT_RUNS=5000 npm run model
const RUNS = Number(process.env.CREDIT_RUNS ?? 50);

test(`whatever is credited, paid, paid out, applied and voided, the paise are those of the model (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 2_000,
}, async () => {
  const company = await openBusy(REGISTERED);
  await runs(RUNS, (seed) => liveThrough(company, seed));
  await expectSound(company);
});
