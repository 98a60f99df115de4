/**
 * One file of SQL, applied once to a database, in the order of the list; its SHA-256 where that is not its text's, and of an
 * alteration that of its file before.
 */
export type Migration = { name: string; sql: string; sha256?: string; before?: string };

/** A file of the schema, or an alteration, by its name and its file's SHA-256; of an alteration, that of its file before. */
export type Hashed = { name: string; sha256: string; before?: string };

/** A row of a database's table of migrations; one that was made before 1.0.0 may have no `sha256`. */
export type AppliedRow = { name: string; sha256?: string; schema_number?: number };

/** The number of a schema: a release adds files or alterations and takes none away, so a later release has a higher one. */
export function schemaNumberOf(texts: readonly unknown[]): number {
  return texts.length;
}

/** The highest schema number of the releases that have migrated a database. */
export function schemaNumberIn(applied: readonly AppliedRow[]): number {
  return Math.max(0, ...applied.map(({ schema_number: number }) => number ?? 0));
}

/**
 * What of these a database lacks, in their order, and the names that it has with another text. An alteration is for
 * databases that were made of an earlier text of its file; a newer one needs none. One that a later release has migrated
 * lacks nothing: each release serves on the schema of the next one.
 */
export function lackingOf(
  texts: readonly Hashed[],
  applied: readonly AppliedRow[],
): { missing: string[]; unlike: string[] } {
  if (schemaNumberIn(applied) > schemaNumberOf(texts)) return { missing: [], unlike: [] };
  const has = new Map(applied.map(({ name, sha256 }) => [name, sha256]));
  const unlike = new Set(applied.filter(({ sha256 }) => sha256 === undefined).map(({ name }) => name));
  const wanted = new Set<string>();
  for (const file of filesOf(texts)) {
    wanted.add(file.name);
    const made = has.get(file.name);
    if (made === undefined || made === file.sha256) continue;
    const changes = texts.filter((one) => fileOf(one) === file.name);
    const first = changes.findIndex(({ before }) => before === made);
    if (first < 0) unlike.add(file.name);
    else for (const { name } of changes.slice(first)) wanted.add(name);
  }
  for (const { name, sha256, before } of texts)
    if (before !== undefined && wanted.has(name) && (has.get(name) ?? sha256) !== sha256) unlike.add(name);
  const missing = texts.filter(({ name }) => wanted.has(name) && !has.has(name));
  return { missing: missing.map(({ name }) => name), unlike: [...unlike] };
}

/** What makes a new database. */
export function filesOf<Text extends { before?: string }>(texts: readonly Text[]): Text[] {
  return texts.filter(({ before }) => before === undefined);
}

/** The file that an alteration is of; undefined for a file. */
export function fileOf({ name, before }: { name: string; before?: string }): string | undefined {
  return before === undefined ? undefined : name.slice(name.indexOf("_") + 1);
}

/** What is wrong with a database that has these names with another text, and what to do. */
export function unlikeMessage([name]: readonly string[]): string {
  return `The database has another ${name} than this version: use the version that made it, or make a new database`;
}
