const MOST_IDLE = 500;

type ByName<Kept> = ((name: string) => Kept) & { all: () => Iterable<Kept> };

/** One object for each name, made when it is first asked for; idle ones are forgotten when there are many. */
export function keptByName<Kept extends { isIdle: boolean }>(make: () => Kept): ByName<Kept> {
  const all = new Map<string, Kept>();
  const byName = (name: string) => {
    const known = all.get(name);
    if (known !== undefined) return known;
    if (all.size >= MOST_IDLE) for (const [each, { isIdle }] of all) if (isIdle) all.delete(each);
    const made = make();
    all.set(name, made);
    return made;
  };
  return Object.assign(byName, { all: () => all.values() });
}
