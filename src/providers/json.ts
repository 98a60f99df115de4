type Path = (string | number)[];

/** The value at a path of member names and positions in what an outside service sent, or undefined. */
export function at(value: unknown, ...path: Path): unknown {
  let inner = value;
  for (const name of path)
    inner = typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined;
  return inner;
}

/** The items of the array at a path; none where there is no array. */
export function listAt(value: unknown, ...path: Path): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The text at a path, or null. */
export function textAt(value: unknown, ...path: Path): string | null {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
}

/** The text at a path, of a number its digits; the empty text where there is neither. */
export function wordAt(value: unknown, ...path: Path): string {
  const found = at(value, ...path);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

/** The whole number at a path, or null. */
export function wholeAt(value: unknown, ...path: Path): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) ? found : null;
}
