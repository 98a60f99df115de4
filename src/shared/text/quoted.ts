const MOST_LETTERS = 100;

/** A text as an error, a subject or a notice shows it: of one of more than `most` characters those before, and an ellipsis. */
export function quoted(text: string, most = MOST_LETTERS): string {
  const letters = text.slice(0, 2 * most);
  const shown = [...letters];
  return shown.length <= most && letters.length === text.length
    ? text
    : `${shown.slice(0, most - 1).join("")}…`;
}
