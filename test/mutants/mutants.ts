import { DOOR_MUTANTS } from "./doors.ts";
import { FEATURE_MUTANTS } from "./features.ts";
import { MONEY_MUTANTS } from "./money.ts";
import type { Mutant } from "./mutant.ts";
import { PLAN_MUTANTS } from "./plans.ts";
import { SALES_MUTANTS } from "./sales.ts";
import { SHARED_MUTANTS } from "./shared.ts";
import { SHOP_MUTANTS } from "./shop.ts";
import { SIMULATOR_MUTANTS } from "./simulator.ts";
import { STAND_IN_MUTANTS } from "./stand-ins.ts";

export const MUTANTS: readonly Mutant[] = [
  ...DOOR_MUTANTS,
  ...PLAN_MUTANTS,
  ...SALES_MUTANTS,
  ...MONEY_MUTANTS,
  ...SHOP_MUTANTS,
  ...FEATURE_MUTANTS,
  ...SHARED_MUTANTS,
  ...SIMULATOR_MUTANTS,
  ...STAND_IN_MUTANTS,
];
