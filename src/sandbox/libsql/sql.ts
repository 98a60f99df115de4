export type SqlKind = "insert" | "change" | "schema" | "other";

const QUOTED_OR_COMMENT = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//g;

const KINDS: readonly (readonly [SqlKind, RegExp])[] = [
  ["insert", /^\s*(?:(?:insert|replace)\b|with\b.*\binsert\s+(?:or\s+\w+\s+)?into\b)/is],
  ["change", /^\s*(?:(?:update|delete)\b|with\b.*\b(?:update|delete)\b)/is],
  ["schema", /^\s*(?:create|alter|drop)\b/i],
];

const CREATE_TRIGGER = /^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i;

/** Tells what a SQL text does and how many statements it holds, which the engine does not say. */
export function describeSql(sql: string): { kind: SqlKind; statements: number } {
  const bare = sql.replace(QUOTED_OR_COMMENT, " ");
  const kind = KINDS.find(([, pattern]) => pattern.test(bare))?.[0] ?? "other";
  if (CREATE_TRIGGER.test(bare)) return { kind, statements: 1 };
  return { kind, statements: bare.split(";").filter((part) => part.trim() !== "").length };
}
