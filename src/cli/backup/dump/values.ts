/** What a cell holds: a whole number comes as a bigint, and another one as a number. */
export type Value = null | bigint | number | string | Uint8Array;
export type Row = readonly Value[];

/** A database as of one moment, for what dumps or checks it. */
export type Reader = { all(sql: string, values?: readonly Value[]): Promise<Row[]> };

/** A name as SQL quotes it. */
export function named(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A value as SQL writes it, always on one line. */
export function literal(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return real(value);
  if (typeof value === "string") return text(value);
  return `X'${Buffer.from(value).toString("hex")}'`;
}

function real(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "9e999" : "-9e999";
  const written = String(value);
  return /[.e]/.test(written) ? written : `${written}.0`;
}

function text(value: string): string {
  if (!/[\0\r\n]/.test(value)) return quoted(value);
  // As bytes, where the text itself has `\r` or `\n` in it, or a NUL, at which SQLite would end it.
  if (/\0|\\[rn]/.test(value)) return `CAST(X'${Buffer.from(value).toString("hex")}' AS TEXT)`;
  const flat = quoted(value.replaceAll("\r", "\\r").replaceAll("\n", "\\n"));
  return `replace(replace(${flat}, '\\r', char(13)), '\\n', char(10))`;
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
