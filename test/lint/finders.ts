import { posix } from "node:path";

/** Where a rule is broken in a file's text: offsets into it. */
export type Finder = (text: string, path: string) => number[];

/** Comments may name what the code must not use; their lines and lengths stay, so offsets hold. */
export function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/\*|\*|--).*|\s(?:\/\/|--)\s.*$/gm, (comment) =>
    comment.replace(/\S/g, " "),
  );
}

export function matches(pattern: RegExp): Finder {
  return (text) => [...text.matchAll(pattern)].map((found) => found.index);
}

/** Calls whose arguments do not match; `opening` ends with the call's bracket. A method's own definition is no call. */
export function callsWithout(opening: RegExp, required: RegExp): Finder {
  return (text) =>
    [...text.matchAll(opening)]
      .filter((call) => {
        const { inside, after } = brackets(text, call.index + call[0].length - 1);
        return !required.test(inside) && !/^(?::|\s*\{)/.test(after);
      })
      .map((call) => call.index);
}

export function tablesNotStrict(text: string): number[] {
  return [...text.matchAll(/\bCREATE\s+TABLE\b[^(;]*/g)]
    .filter((table) => !/^[^;(]*\bSTRICT\b/.test(brackets(text, table.index + table[0].length).after))
    .map((table) => table.index);
}

const AGGREGATE =
  /\b(?:json_group_array|json_group_object|group_concat|string_agg|sum|count|min|max|avg|total)\s*\(/gi;

/** Aggregates with an ORDER BY among their arguments, one of a subquery there aside. */
export function aggregatesThatOrder(text: string): number[] {
  return [...text.matchAll(AGGREGATE)]
    .filter((call) => {
      const { inside } = brackets(text, call.index + call[0].length - 1);
      return /\bORDER\s+BY\b/i.test(withoutBrackets(inside));
    })
    .map((call) => call.index);
}

/** Each HAVING whose own SELECT has no GROUP BY before it. */
export function havingWithoutGroup(text: string): number[] {
  return [...text.matchAll(/\bHAVING\b/g)]
    .filter(({ index }) => {
      const own =
        withoutBrackets(text.slice(0, index))
          .split(/[(`"']/)
          .at(-1) ?? "";
      return !/\bGROUP\s+BY\b/.test(own.slice(Math.max(0, own.lastIndexOf("SELECT"))));
    })
    .map((found) => found.index);
}

const TEXT = /`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"/gs;
const VERB = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|VACUUM|ANALYZE|ATTACH)\b/;

/** What matches in the SQL of a file: all of a migration, elsewhere the texts that hold a statement. */
export function inSql(pattern: RegExp): Finder {
  return (text, path) => {
    const statements = [...text.matchAll(TEXT)].filter((found) => VERB.test(found[0]));
    return (path.endsWith(".sql") ? [{ 0: text, index: 0 }] : statements).flatMap((found) => {
      const bare = found[0].replace(/\$\{[^}]*\}/g, (value) => value.replace(/\S/g, " "));
      return [...bare.matchAll(pattern)].map(({ index }) => found.index + index);
    });
  };
}

/** The text without what stands in brackets; those that are open at its end stay. */
function withoutBrackets(text: string): string {
  const innermost = /\([^()]*\)/g;
  let outer = text;
  while (innermost.test(outer)) outer = outer.replace(innermost, " ");
  return outer;
}

/** `db.insert(x)`, `update` or `delete` where x is another feature's table. */
export function foreignWrites(text: string, path: string): number[] {
  const own = /^src\/(?:features\/)?([^/]+)\//.exec(path)?.[1];
  const foreign = [...text.matchAll(/\bimport\s+([^;]*?)\s+from\s+"#tables\/([^"/]+)/g)]
    .filter(([, , feature]) => feature !== own)
    .flatMap(([, names = ""]) => names.match(/\w+(?=\s*(?:[,}]|$))/g) ?? []);
  if (foreign.length === 0) return [];
  return matches(new RegExp(`\\.(?:insert|update|delete)\\(\\s*(?:${foreign.join("|")})\\b`, "g"))(
    text,
    path,
  );
}

/** A relative import that ends outside the feature's own folder. */
export function importsOutOfFeature(text: string, path: string): number[] {
  const home = path.split("/").slice(0, 3).join("/");
  return [...text.matchAll(/\b(?:from|import)[\s(]*"(\.[^"]*)"/g)]
    .filter(([, target = ""]) => !posix.join(posix.dirname(path), target).startsWith(`${home}/`))
    .map((found) => found.index);
}

/** What stands inside the bracket that opens at `open`, and what after it. */
export function brackets(text: string, open: number): { inside: string; after: string } {
  const rest = text.slice(open);
  let depth = 0;
  for (const token of rest.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[()]/gs)) {
    if (token[0] === "(") depth += 1;
    if (token[0] === ")") depth -= 1;
    if (depth === 0) return { inside: rest.slice(1, token.index), after: rest.slice(token.index + 1) };
  }
  return { inside: rest.slice(1), after: "" };
}
