/** Parts of an amount, out of what there is at each place, the first places first; none where there is nothing. */
export function fill(amount: number, most: readonly number[]): number[] {
  let left = amount;
  return most.map((there) => {
    const one = Math.min(there, left);
    left -= one;
    return one;
  });
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0);
}
