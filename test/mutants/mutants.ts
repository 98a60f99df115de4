import { SALES_MUTANTS } from "./sales.ts";

export type { Mutant } from "./mutant.ts";

export const MUTANTS: readonly Mutant[] = [...SALES_MUTANTS];
import type { Mutant } from "./mutant.ts";
import { STAND_IN_MUTANTS } from "./stand-ins.ts";

export const MUTANTS: readonly Mutant[] = [...STAND_IN_MUTANTS];
