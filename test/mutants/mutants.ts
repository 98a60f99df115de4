import { FEATURE_MUTANTS } from "./features.ts";
import type { Mutant } from "./mutant.ts";
import { SALES_MUTANTS } from "./sales.ts";
import { SIMULATOR_MUTANTS } from "./simulator.ts";
import { STAND_IN_MUTANTS } from "./stand-ins.ts";

export const MUTANTS: readonly Mutant[] = [
  ...FEATURE_MUTANTS,
  ...SALES_MUTANTS,
  ...SIMULATOR_MUTANTS,
  ...STAND_IN_MUTANTS,
];
