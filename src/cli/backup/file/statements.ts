import type { DatabaseSync } from "node:sqlite";
import { appliedTexts, migratedDatabase, migrationTexts } from "#tenancy/migrations/migrated-database.ts";
import { Failure } from "../../failure.ts";
import { CLOSING, OPENING, PART_END, partOf, SEQUENCE, statementsOf } from "../dump/dump.ts";
import { insertionInto } from "../dump/rows.ts";
import { readSchema, type Schema } from "../dump/schema.ts";
import { readerOf } from "../dump/sqlite.ts";
import { type Header, nameOf } from "./header.ts";

/** Looks at the parts of a dump, in their order and before they are run. */
export type PartCheck = {
  /** Throws a Failure where the part holds anything but what a dump of this schema holds there. */
  admit(part: string): void;
  /** Throws a Failure where something of the schema did not come. */
  end(): void;
};

const SHOWN = 80;
// What stands before and after a quoted text, as `literal` writes it.
const QUOTED = [
  ["", ""],
  ["X", ""],
  ["CAST(X", " AS TEXT)"],
  ["replace(replace(", ", '\\r', char(13)), '\\n', char(10))"],
] as const;
const UNQUOTED = /NULL|-?[0-9][0-9.e+-]*/y;

/** Knows the statements of a dump of what these migrations make. Throws a Failure where one of them is unknown. */
export async function partCheck(header: Header): Promise<PartCheck> {
  const schema = await schemaOf(header);
  const { first, last } = statementsOf(schema);
  const made = new Set([...first, ...last].map((sql) => laidOut(partOf(sql))));
  const missing = new Set(made);
  const rows = [...schema.tables.map(insertionInto), SEQUENCE.into];
  let [begun, ended] = [false, false];
  return {
    admit(part) {
      if (!begun) begun = part === OPENING || refuse(part);
      else if (ended) refuse(part);
      else if (part === CLOSING) ended = true;
      else if (part === partOf(SEQUENCE.emptied) || holdsRows(part, rows)) return;
      else if (!missing.delete(laidOut(part))) refuse(part);
    },
    end() {
      const [first] = missing;
      if (first !== undefined)
        throw new Failure(`The schema is not what its migrations make: ${start(first)} is missing`);
      if (!ended) throw new Failure("The SQL of the backup ends early");
    },
  };
}

// A restore reads its backup twice, and the backups of a fleet are mostly of one release.
let latest: { migrations: string; schema: Promise<Schema> } | undefined;

/** What the migrations of a backup make. */
function schemaOf(header: Header): Promise<Schema> {
  const migrations = JSON.stringify([header.source.control, header.migrations]);
  if (latest?.migrations !== migrations)
    latest = { migrations, schema: readSchema(readerOf(migrated(header))) };
  return latest.schema;
}

/** An empty database as the migrations of a backup make it. */
function migrated({ source, migrations, release }: Header): DatabaseSync {
  const of = source.control ? "control" : "company";
  const { files, alterations } = migrationTexts(of);
  const texts = [...files, ...alterations];
  const read = `read the backup with its own, ${release}, or a later one`;
  for (const [name, sha256] of Object.entries(migrations)) {
    const named = texts.filter((one) => one.name === name);
    if (named.length === 0)
      throw new Failure(`The migration ${name} is none of ${nameOf(source)} in this release: ${read}`);
    if (named.every((text) => text.sha256 !== sha256))
      throw new Failure(`The migration ${name} of the backup has another text than in this release: ${read}`);
  }
  return migratedDatabase(of, appliedTexts(texts, migrations), (name) => {
    throw new Failure(`The migrations of the header cannot be: ${name} does not follow from those before it`);
  });
}

function holdsRows(part: string, insertions: readonly string[]): boolean {
  return part
    .slice(0, -PART_END.length - 1)
    .split("\n")
    .every((line) => isRow(line, insertions));
}

function isRow(line: string, insertions: readonly string[]): boolean {
  const into = insertions.find((one) => line.startsWith(one));
  let at = into === undefined ? -1 : valueEnd(line, into.length);
  while (at >= 0 && line.startsWith(", ", at)) at = valueEnd(line, at + 2);
  return at >= 0 && line.slice(at) === ");";
}

/** Where the value that begins at `from` ends; negative where it is none. */
function valueEnd(line: string, from: number): number {
  UNQUOTED.lastIndex = from;
  if (UNQUOTED.test(line)) return UNQUOTED.lastIndex;
  for (const [before, after] of QUOTED) {
    if (!line.startsWith(`${before}'`, from)) continue;
    // Not by an expression, which has no room for a text of megabytes.
    let quote = line.indexOf("'", from + before.length + 1);
    while (quote >= 0 && line[quote + 1] === "'") quote = line.indexOf("'", quote + 2);
    return quote >= 0 && line.startsWith(after, quote + 1) ? quote + 1 + after.length : -1;
  }
  return -1;
}

/** How far a line is moved in says nothing; where it ends does, for a comment ends there. */
function laidOut(statement: string): string {
  return statement
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}

function refuse(part: string): never {
  throw new Failure(`The backup holds what no dump of its migrations does: ${start(part)}`);
}

function start(statement: string): string {
  const [line = ""] = statement.slice(0, SHOWN).split(/[\n(]/);
  return line.trim();
}
