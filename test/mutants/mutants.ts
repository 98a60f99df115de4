import { SALES_MUTANTS } from "./sales.ts";

export type { Mutant } from "./mutant.ts";

export const MUTANTS: readonly Mutant[] = [...SALES_MUTANTS];
import { STAND_IN_MUTANTS } from "./stand-ins.ts";

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

export const MUTANTS: readonly Mutant[] = [...STAND_IN_MUTANTS];
