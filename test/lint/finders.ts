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

/** `db.insert(x)`, `update` or `delete` where x is another feature's table. */
export function foreignWrites(text: string, path: string): number[] {
  const own = /^src\/features\/([^/]+)\//.exec(path)?.[1];
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
