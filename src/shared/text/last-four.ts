const SHOWN = 4;

/** The last four characters of a secret, for reads; none of one so short that they would show half of it. */
export function lastFour(secret: string): string {
  return secret.length <= 2 * SHOWN ? "" : secret.slice(-SHOWN);
}
