import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Where records name the files of one folder: the path of each, and the media type that it is stored under. */
export type KeptFiles = { folder: string; path: SQLiteColumn; type: SQLiteColumn };

const PATH = /^[0-9A-HJKMNP-TV-Z]{26}\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,149}$/;

/** Whether a path is one that an upload gets: a ULID and a name. It names nothing outside its folder. */
export function isFilePath(path: string): boolean {
  return PATH.test(path);
}
