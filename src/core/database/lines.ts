const MOST_IDLE = 500;

/** One line for each name, made when it is first asked for; idle ones are forgotten when there are many. */
export function linesOf<Line extends { isIdle: boolean }>(make: () => Line): (name: string) => Line {
  const lines = new Map<string, Line>();
  return (name) => {
    const known = lines.get(name);
    if (known !== undefined) return known;
    if (lines.size >= MOST_IDLE) for (const [each, { isIdle }] of lines) if (isIdle) lines.delete(each);
    const line = make();
    lines.set(name, line);
    return line;
  };
}
