/** What does not hold of the items, by the check that throws: each as its name and the failure, for one assertion on them all. */
export function findingsOf<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  check: (item: Item) => void,
): string[] {
  return items.flatMap((item) => {
    try {
      check(item);
      return [];
    } catch (error) {
      return [`${nameOf(item)}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
