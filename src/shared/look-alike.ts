const MOST_IDS = 99_999;

/** The id and number such as a young company's record has, for the answer to a machine of whose form nothing is stored. */
export function lookAlike(prefix: string, digits: number): { id: number; number: string } {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const id = 1 + (random % MOST_IDS);
  return { id, number: `${prefix}${String(id).padStart(digits, "0")}` };
}
