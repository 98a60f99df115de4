/** What `read` makes of the arguments; a mistake in them gives one sentence, and ends the process with 2. */
export function asked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    console.error(sentence);
    process.exit(2);
  }
}

/** The number above 0 that a text is; throws for another. */
export function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < Infinity)) throw new Error(`${name} must be a number above 0: ${text}`);
  return number;
}
