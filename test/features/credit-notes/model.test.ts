import { expect, test } from "vitest";
import { liveThrough } from "../../model/credit-world.ts";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];

test("random credits, payments, payouts, applications and voids are the model's to the paisa", async () => {
  const company = await openCompany({ state: "Karnataka", gstin: "29AABCR1718E1ZL" });
  await company.raiseLimit();
  const lives = await Promise.allSettled(SEEDS.map((seed) => liveThrough(company, seed)));
  expect(lives.filter(({ status }) => status === "rejected")).toEqual([]);
  await expectSound(company);
});
