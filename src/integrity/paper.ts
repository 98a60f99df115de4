/**
 * A table whose records are papers. Each column of it is either `final`, or may change, and then the reason stands
 * beside it. A final column may be an expression of what an erasure leaves of it.
 */
export type Paper = {
  kind: string;
  final: readonly string[];
  erasable?: Readonly<Record<string, string>>;
  changes: Readonly<Record<string, string>>;
  lines?: { table: string; paper: string; final: readonly string[] };
  /** Why a record may be deleted. */
  deleted?: string;
};
