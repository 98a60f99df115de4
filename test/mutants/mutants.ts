import type { Mutant } from "./mutant.ts";
import { SALES_MUTANTS } from "./sales.ts";
import { STAND_IN_MUTANTS } from "./stand-ins.ts";

export const MUTANTS: readonly Mutant[] = [...SALES_MUTANTS, ...STAND_IN_MUTANTS];
import { SIMULATOR_MUTANTS } from "./simulator.ts";

/** A change of the code that a test must notice. */
export type Mutant = {
  /** The tests that are gone, by their former files, whose work `killedBy` does now. */
  gone: string;
  /** A test file, and with `-t` behind it the words of a test. */
  killedBy: string;
  file: string;
  /** Stands once in the file. */
  from: string;
  to: string;
};

export const MUTANTS: readonly Mutant[] = [...SIMULATOR_MUTANTS];
