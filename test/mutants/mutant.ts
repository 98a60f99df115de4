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

/** The tests of a feature whose names have these words. */
export const tests = (file: string, words: string) => `test/features/${file}.test.ts -t ${words}`;
