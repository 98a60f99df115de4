import { SALES_MUTANTS } from "./sales.ts";

export type { Mutant } from "./mutant.ts";

export const MUTANTS: readonly Mutant[] = [...SALES_MUTANTS];
