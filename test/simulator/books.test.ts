import { test } from "vitest";
import { REGISTERED } from "../features/commerce.ts";
import { openCompany } from "../support/company.ts";
import { expectEventHistory } from "../support/event-history.ts";
import { expectSound } from "../support/oracles.ts";
import { BOOKS, openBooks } from "./books.ts";
import { SEED } from "./draw.ts";
import { losses } from "./faults.ts";
import { expectOnce } from "./judge.ts";
import { runs, World } from "./world.ts";

// More by hand: MODEL_RUNS=50000 npm run model
const RUNS = Number(process.env.MODEL_RUNS ?? 30);

test(`whatever users do at the same time, and whatever the network does, the books are sound (seed ${SEED})`, {
  timeout: 60_000 + RUNS * 2_000,
}, async () => {
  await runs(RUNS, async (seed) => {
    const world = new World(await openCompany(REGISTERED), seed);
    await openBooks(world);
    await world.company.faults(...losses(seed));
    await world.inRounds(BOOKS, world.draw().from(4, 9), 4);
    await world.company.faults();
    await expectOnce(world);
    await expectSound(world.company);
    await expectEventHistory(world.company);
  });
});
