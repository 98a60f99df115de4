/**
 * A sentence about a company's database, as the SELECT of the rows that break it. One `of` a table speaks of each of
 * its rows by itself, and names them `these`: so it can be held against a part of them.
 */
export type Sentence = string | { of: string; broken: string };
export type Sentences = Readonly<Record<string, Sentence>>;
/** Makes sentences of each row of a table. */
export const ofEach = (of: string) => (broken: string) => ({ of, broken });
/** Ids above `after`, up to `until`. */
export type Range = { after: number; until: number };

/** The SELECT of what breaks a sentence, among the rows of a range where one is given. */
export function brokenRows(sentence: Sentence, range?: Range): string {
  if (typeof sentence === "string") return sentence;
  const where = range === undefined ? "" : ` WHERE id > ${range.after} AND id <= ${range.until}`;
  return `WITH these AS (SELECT * FROM ${sentence.of}${where}) ${sentence.broken}`;
}
