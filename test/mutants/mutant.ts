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
