import {
  callsWithout,
  type Finder,
  foreignWrites,
  importsOutOfFeature,
  matches,
  withoutComments,
} from "./finders.ts";
import { plainCore } from "./plain-core.ts";
import type { Source } from "./sources.ts";
import { sqlRules } from "./sql-rules.ts";

/** A text, or one that stands elsewhere than the rule's other ones. */
type Sample = string | [path: string, text: string];

export type Rule = {
  name: string;
  where: RegExp;
  except?: RegExp;
  find: Finder;
  inComments?: true;
  /** Where its samples stand; without it, in a file of src. */
  at?: string;
  broken: Sample[];
  sound: Sample[];
};

export function findViolations(rule: Rule, files: Source[]): string[] {
  return files
    .filter(({ path }) => rule.where.test(path) && !rule.except?.test(path))
    .flatMap(({ path, text }) =>
      rule
        .find(rule.inComments ? text : withoutComments(text), path)
        .map((offset) => `${path}:${text.slice(0, offset).split("\n").length}`),
    );
}

const code = /^(?:src|durable)\/.*\.tsx?$/;

// The samples are pieced together where the whole word would break the rule here too.
export const rules: Rule[] = [
  ...sqlRules,
  plainCore,
  {
    name: "a feature writes only its own tables",
    where: /^src\//,
    except: /^src\/sandbox\//,
    find: foreignWrites,
    broken: [
      ["src/features/a/x.ts", 'import { rows } from "#tables/b";\nctx.db.insert(rows).values({});'],
      [
        "src/features/a/x.ts",
        'import {\n  lines,\n  rows as theirs,\n} from "#tables/b/c";\ndb\n  .update(\n    theirs,\n  );',
      ],
      ["src/api/x.ts", 'import * as tables from "#tables/b";\ndb.delete(tables.rows);'],
      ["src/features/a/x.ts", 'import { auditLog } from "#tables/core";\ndb.insert(auditLog);'],
    ],
    sound: [
      [
        "src/features/a/x.ts",
        'import { rows } from "#tables/a";\nimport { lines } from "#tables/b";\ndb.insert(rows).from(lines);',
      ],
      ["src/features/b/c/x.ts", 'import { rows } from "#tables/b";\ndb.insert(rows);'],
    ],
  },
  {
    name: "a feature's files import one another, never another feature's files",
    where: /^src\/features\/[^/]+\//,
    find: importsOutOfFeature,
    broken: [
      ["src/features/a/x.ts", 'import { y } from "../b/y.ts";'],
      ["src/features/a/c/x.ts", 'export { y } from "../../b/y.ts";'],
      ["src/features/a/x.ts", 'const { y } = await import("../../platform/y.ts");'],
    ],
    sound: [
      [
        "src/features/a/c/x.ts",
        'import { y } from "../y.ts";\nimport "./z.ts";\nimport { b } from "#features/b";',
      ],
    ],
  },
  {
    name: "no interactive transaction: it leaks writes when the server steals its lock",
    where: code,
    find: matches(/\.transaction\(/g),
    broken: ["await db.transaction(async () => {});"],
    sound: ['await client.batch(statements, "write"); // never db.transaction()'],
  },
  {
    name: "a batch names its mode: the default one fails on a read followed by a write",
    where: code,
    find: callsWithout(/\bclient\.batch\(/g, /,\s*(?:"write"|"read"|mode),?\s*$/),
    broken: ['client.batch([sql("read")]);'],
    sound: ['client.batch(\n  [insert("a"), update("b")],\n  "write",\n);\nclient.batch(list, mode);'],
  },
  {
    name: "a fetch has a signal, so that it ends",
    where: code,
    except: /^src\/(?:sandbox\/|core\/outside-request\.ts)/,
    find: callsWithout(/(?<![.\w])(?:(?:globalThis\.)?fetch|askOutside)\(/g, /\bsignal\b/),
    broken: ['const answer = await fetch("https://example.com/)", { method: "POST" });'],
    sound: [
      "fetch(address(), { signal: AbortSignal.timeout(8000) });\nenv.ASSETS.fetch(request);",
      [
        "src/worker.ts",
        "export default { async fetch(request, env) {}, };\ntype A = { fetch(request: Request): B };",
      ],
    ],
  },
  {
    // The rest runs in browsers or in Node, or asks what belongs to this very service.
    name: "the Worker asks what is outside by askOutside(), which names the product",
    where: code,
    except:
      /^src\/(?:sandbox|self-host|widget|client|build|cli|wiring)\/|^src\/(?:worker|core\/outside-request|core\/database\/clients|api\/page-parts\/script|api\/pages\/documents)\.ts/,
    find: matches(/(?<![.\w])(?:globalThis\.)?fetch\(/g),
    broken: [["src/features/a/x.ts", "await fetch(url, { signal });"]],
    sound: [["src/features/a/x.ts", "await askOutside(url, { signal });"]],
  },
  {
    name: "a feature writes through atomic() or systemWrite(), never by the database itself",
    where: /^src\//,
    except: /^src\/(?:core|tenancy|integrity|cli|sandbox)\//,
    find: matches(/\b(?:database|control)\s*\.write\(|\bwrite\b[^}=;]*\}\s*=\s*ctx\.database\b/g),
    broken: [
      ["src/features/a/x.ts", "await ctx.database.write([ctx.db.delete(rows)]);"],
      ["src/wiring/x.ts", "await ctx.database\n    .write(statements)\n    .catch(f);"],
      ["src/features/a/x.ts", "const { write } = ctx.database;"],
    ],
    sound: [
      ["src/features/a/x.ts", "await systemWrite(ctx, statements); // never ctx.database.write()"],
      ["src/core/write/x.ts", "await database.write(statements);"],
    ],
  },
  {
    // A caller's wait in idempotency-gate.ts and an alarm are real time, whatever the company's clock says; the widget and
    // the client run elsewhere.
    name: "code takes the time from ctx.now",
    where: code,
    except:
      /^src\/(?:worker\.ts|core\/log\.ts|self-host\/|api\/|sandbox\/|widget\/|client\/|cli\/|build\/)|^durable\/(?:idempotency-gate|company-clock)\.ts/,
    find: matches(/\bDate\.now\(|\bnew Date\(\s*\)|\bTemporal\.Now\b/g),
    broken: [
      ["src/features/a/x.ts", "const now = Date.now();"],
      ["durable/x.ts", "const now = new Date();"],
    ],
    sound: [
      ["src/features/a/x.ts", "new Date(ctx.now).toISOString();"],
      ["src/api/x.ts", "const now = Date.now();"],
    ],
  },
  {
    name: "a file has at most 250 lines, tests included",
    where: /^(?:src|durable|test)\/.*\.tsx?$/,
    find: (text) => (text.trimEnd().split("\n").length > 250 ? [text.length] : []),
    broken: ["a();\n".repeat(251)],
    sound: ["a();\n".repeat(250)],
  },
  {
    name: "no type is escaped",
    where: code,
    inComments: true,
    find: matches(/\bas any\b|(?<!\(\?):\s*any\s*(?=[,;)=|&[{}]|$)|<any\b|@ts-(?:ignore|nocheck)/gm),
    broken: ["const a = b as any;", "function a(b: any, c: string): any {}", "// @ts-ignore"],
    sound: [
      'const many: Company[] = []; // one: any of them\nconst help = "one of: any company";\nconst ASKS = /(?:any|how)/;',
    ],
  },
  {
    name: "zod is imported as a namespace, which halves the bundle",
    where: /\.tsx?$/,
    find: matches(/\bimport\s+(?:type\s+)?(?:\w+\s*,\s*)?(?:\{[^}]*\}|\w+)\s+from\s+"zod"/g),
    broken: [`import { z } from ${'"zod"'};`, ["test/a.ts", `import z from ${'"zod"'};`]],
    sound: ['import * as z from "zod";\nimport { zValidator } from "@hono/zod-validator";'],
  },
  {
    name: "no test is skipped, focused or empty",
    where: /^test\/.*\.tsx?$/,
    find: matches(/\.(?:skip|only|todo|skipIf|runIf)\b|\b(?:skip|only|todo): true\b/g),
    broken: ["skip", "only", "todo", "skipIf"].map((word) => [
      "test/a.test.ts",
      `it.${word}("pays", () => {});`,
    ]),
    sound: [["test/a.test.ts", 'it("skips what is only due later", () => {});']],
  },
  {
    name: "no work is left marked in the code",
    where: /^(?:src|durable|migrations)\//,
    inComments: true,
    find: matches(/\b(?:TODO|FIXME|HACK)\b/g),
    broken: ["// TODO: refunds"],
    sound: ['const states = ["todo", "done"];'],
  },
  {
    name: "no secret key is in the tree",
    where: /./,
    inComments: true,
    find: matches(/sk_[0-9A-Za-z]{49}/g),
    broken: [["README.md", `X-Client-Secret: sk_${"a1".repeat(25)}`]],
    sound: [["README.md", "X-Client-Secret: sk_..."]],
  },
  {
    name: "no path of a machine and no registry host is in the tree",
    where: /./,
    except: /^package-lock\.json$/,
    inComments: true,
    find: matches(/(?<![\w.:-])\/(?:work|root|home|Users)\/\w|\/\/(?:registry|deb)\.\w/g),
    broken: [
      ["README.md", `cd ${["", "home", "me"].join("/")}`],
      [".ci/run", `--registry=https:/${"/registry"}.example.com`],
    ],
    sound: [["README.md", "https://example.com/home/page and src/work/home/x.ts"]],
  },
];
