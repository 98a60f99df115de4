import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openCompany } from "../support/company.ts";
import { expectEventHistory } from "../support/event-history.ts";
import { expectSound } from "../support/oracles.ts";
import { Made, run } from "./money-calls.ts";
import { type Command, DOCUMENTED, type Plan, plan } from "./money-commands.ts";
import { predict } from "./money-model.ts";

// A few in `npm run soak`, more by hand: MODEL_RUNS=50000 npm run model
const RUNS = Number(process.env.MODEL_RUNS ?? 30);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const CONCURRENCY = 10;
const FAULTS = 0.03;

test(`whatever users do at the same time, and whatever the network does, the books are sound (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 2_000,
}, async () => {
  const lanes = Array.from({ length: CONCURRENCY }, (_, lane) =>
    fc.assert(fc.asyncProperty(plan, keepsTheBooksSound), {
      numRuns: Math.ceil(RUNS / CONCURRENCY),
      seed: SEED + lane,
      endOnFailure: true,
    }),
  );
  await Promise.all(lanes);
});

async function keepsTheBooksSound({ steps, faultSeed }: Plan): Promise<void> {
  const company = await openCompany({ state: "Karnataka", gstin: "29AABCR1718E1ZL" });
  await company.raiseLimit();
  const made = new Made();
  for (const first of FIRST) await run(company, made, first);
  await company.faults(
    { kind: "reset_before", probability: FAULTS, seed: faultSeed, writes_only: true },
    { kind: "reset_after", probability: FAULTS, seed: faultSeed + 1, writes_only: true },
  );
  for (const commands of steps) {
    const [only] = commands;
    const predicted = commands.length === 1 && only ? await predict(company.database(), made, only) : null;
    const answers = await Promise.all(commands.map((command) => run(company, made, command)));
    for (const [index, answer] of answers.entries()) {
      const { kind } = commands[index] ?? only ?? FIRST[0];
      if (answer !== undefined) expect(DOCUMENTED[kind], `${kind} answered ${answer}`).toContain(answer);
    }
    if (predicted !== null) expect(answers).toEqual([predicted]);
  }
  await company.faults();
  await expectSound(company);
  await expectEventHistory(company);
}

const FIRST: [Command, ...Command[]] = [
  { kind: "createCustomer", state: "KA" },
  { kind: "createCustomer", state: "MH" },
  { kind: "createProduct", opening: 5, batches: false },
  { kind: "createProduct", opening: 4, batches: true },
];
