const MOST_LETTERS = 100;

/** A client's text as an error repeats it: the first 99 characters of a longer one, and an ellipsis. */
export function quoted(text: string): string {
  const letters = text.slice(0, 2 * MOST_LETTERS);
  const shown = [...letters];
  return shown.length <= MOST_LETTERS && letters.length === text.length
    ? text
    : `${shown.slice(0, MOST_LETTERS - 1).join("")}…`;
}
