import { hash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { COMPANY_MIGRATIONS, CONTROL_MIGRATIONS } from "#migrations";
import { hashed } from "#tenancy/migrations/migrate.ts";
import {
  appliedTexts,
  currentTexts,
  migratedDatabase,
  migrationTexts,
} from "#tenancy/migrations/migrated-database.ts";
import { fileOf, lackingOf } from "#tenancy/migrations/missing-and-changed.ts";
import { normalised, SCHEMA_OBJECTS } from "#tenancy/migrations/schema-objects.ts";
import { useFolder } from "../support/folder.ts";

const place = useFolder();

const schemaOf = (database: DatabaseSync) =>
  database
    .prepare(SCHEMA_OBJECTS)
    .all()
    .map(({ name, text }) => [name, normalised(String(text))]);

type Texts = ReturnType<typeof migrationTexts>;

/** The texts that a new database was made of before the alteration at `at` and all later ones. */
function textsBefore({ files, alterations }: Texts, at: number): Record<string, string> {
  const later = alterations.slice(at);
  const made = new Map<string, string>();
  for (const { name, sha256 } of files) {
    const next = later.find((one) => fileOf(one) === name)?.before;
    const former = alterations.filter((one) => fileOf(one) === name).map(({ before }) => before);
    if (sha256 === next || (next === undefined && !former.includes(sha256))) made.set(name, sha256);
  }
  return Object.fromEntries(made);
}

const newest = (texts: Texts) => appliedTexts(texts.files, textsBefore(texts, texts.alterations.length));

/** A database that was made before the alteration at `at`, and then altered as `migrate` would. */
function altered(texts: Texts, at: number): DatabaseSync {
  const made = textsBefore(texts, at);
  const applied = Object.entries(made).map(([name, sha256]) => ({ name, sha256 }));
  const { missing, unlike } = lackingOf([...newest(texts), ...texts.alterations], applied);
  expect(unlike).toEqual([]);
  const due = texts.alterations.filter(({ name }) => missing.includes(name));
  return migratedDatabase("company", [...appliedTexts(texts.files, made), ...due]);
}

const fresh = (texts: Texts) => migratedDatabase("company", newest(texts));

/** The made-up schema of a folder: files by their paths. */
async function madeUp(name: string, files: Record<string, string>): Promise<Texts> {
  for (const [path, text] of Object.entries(files)) {
    const file = place(name, "company", path);
    await mkdir(dirname(file), { recursive: true });
    const before = files[path.replace(/\.sql$/, ".before.sql")];
    await writeFile(file, before === undefined ? text : `-- Before: ${hash("sha256", before)}\n${text}`);
  }
  return migrationTexts("company", place(name));
}

const PEOPLE = `-- People.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  CONSTRAINT named CHECK (length(name) > 0)
) STRICT;
`;
const WITH_NICKNAME = PEOPLE.replace(
  "  CONSTRAINT named",
  "  -- Theirs, with a comma, and (brackets.\n  nickname TEXT CONSTRAINT nickname CHECK (nickname <> ', ('),\n  CONSTRAINT named",
);
const WITH_INDEX = `${WITH_NICKNAME}\nCREATE INDEX people_nickname ON people (nickname);\n`;
const ADD = "ALTER TABLE people ADD COLUMN nickname TEXT CONSTRAINT nickname CHECK (nickname <> ', (');\n";

describe.each([
  ["company", COMPANY_MIGRATIONS],
  ["control", CONTROL_MIGRATIONS],
] as const)("the migrations of the %s database", (of, list) => {
  const texts = migrationTexts(of);

  test("are those of its folder", async () => {
    expect(await hashed(list)).toEqual(currentTexts(of));
  });

  test("end in the same schema for a new database and for one of each earlier text", () => {
    for (let at = 0; at <= texts.alterations.length; at += 1)
      expect(schemaOf(altered(texts, at)), `before alteration ${at}`).toEqual(schemaOf(fresh(texts)));
  });
});

describe("a made-up alteration", () => {
  test("brings databases of each earlier text to the schema of a new one", async () => {
    const texts = await madeUp("two", {
      "01_people.sql": WITH_INDEX,
      "02_pets.sql": "CREATE TABLE pets (owner INTEGER NOT NULL REFERENCES people (id)) STRICT;",
      "alterations/0001_01_people.sql": ADD,
      "alterations/0001_01_people.before.sql": PEOPLE,
      "alterations/0002_01_people.sql": "CREATE INDEX people_nickname ON people (nickname);",
      "alterations/0002_01_people.before.sql": WITH_NICKNAME,
    });
    expect(texts.alterations.map(({ name }) => name)).toEqual(["0001_01_people", "0002_01_people"]);
    for (const at of [0, 1, 2]) expect(schemaOf(altered(texts, at))).toEqual(schemaOf(fresh(texts)));
  });

  test("makes a trigger anew once, when the columns that it compares are there", async () => {
    const trigger =
      "CREATE TRIGGER seen AFTER UPDATE ON people BEGIN\n  DELETE FROM people WHERE id = NEW.id AND";
    const texts = await madeUp("anew", {
      "01_people.sql": WITH_NICKNAME,
      "02_seen.sql": `${trigger} /* people but for id */ (NEW.*) IS NOT (OLD.*);\nEND;\n`,
      "alterations/0001_02_seen.sql": "-- Made anew: seen",
      "alterations/0001_02_seen.before.sql": `${trigger} NEW.name = '';\nEND;\n`,
      "alterations/0002_01_people.sql": `${ADD}-- Made anew: seen\n`,
      "alterations/0002_01_people.before.sql": PEOPLE,
    });
    for (const at of [0, 1, 2]) expect(schemaOf(altered(texts, at))).toEqual(schemaOf(fresh(texts)));
    const seen = schemaOf(fresh(texts)).find(([name]) => name === "trigger seen");
    expect(seen?.[1]).toContain("(NEW.name, NEW.nickname) IS NOT (OLD.name, OLD.nickname)");
    expect(texts.alterations.map(({ sql }) => sql.includes("CREATE TRIGGER"))).toEqual([false, true]);
  });

  test("is refused where a trigger leaves out a column that there is not", async () => {
    const texts = await madeUp("unknown", {
      "01_people.sql": PEOPLE,
      "02_seen.sql":
        "CREATE TRIGGER seen AFTER UPDATE ON people WHEN /* people but for nmae */ (NEW.*) IS NOT (OLD.*) BEGIN\n  SELECT 1;\nEND;\n",
    });
    expect(() => fresh(texts)).toThrow("people has no column nmae");
  });

  test.each([
    ["has another CHECK", ADD.replace("<> ', ('", "<> ', '")],
    ["has no CHECK", "ALTER TABLE people ADD COLUMN nickname TEXT;"],
    ["does nothing", "-- Nothing."],
  ])("is found that %s", async (name, sql) => {
    const texts = await madeUp(name, {
      "01_people.sql": WITH_NICKNAME,
      "alterations/0001_01_people.sql": sql,
      "alterations/0001_01_people.before.sql": PEOPLE,
    });
    expect(schemaOf(altered(texts, 0))).not.toEqual(schemaOf(fresh(texts)));
  });
});

describe("what a database lacks", () => {
  const file = { name: "01_people", sha256: "c" };
  const alterations = [
    { name: "0001_01_people", sha256: "x", before: "a" },
    { name: "0002_01_people", sha256: "y", before: "b" },
  ];
  const later = { name: "02_pets", sha256: "p" };
  const [FIRST, SECOND] = ["0001_01_people", "0002_01_people"] as const;

  test.each<[string, Record<string, string>, string[], string[]]>([
    ["a new one, every file and no alteration", {}, ["01_people", "02_pets"], []],
    ["one of the text of today, no alteration", { "01_people": "c" }, ["02_pets"], []],
    ["one of the first text, all that came since", { "01_people": "a", "02_pets": "p" }, [FIRST, SECOND], []],
    ["one of the second text, the second", { "01_people": "b", "02_pets": "p" }, [SECOND], []],
    [
      "one that was altered once, the second",
      { "01_people": "a", "02_pets": "p", [FIRST]: "x" },
      [SECOND],
      [],
    ],
    ["one that has all, nothing", { "01_people": "a", "02_pets": "p", [FIRST]: "x", [SECOND]: "y" }, [], []],
    ["one of an unknown text, what is not known", { "01_people": "z", "02_pets": "p" }, [], ["01_people"]],
    [
      "one that was altered by another text, what is not known",
      { "01_people": "a", "02_pets": "p", [FIRST]: "z" },
      [SECOND],
      [FIRST],
    ],
  ])("is, of %s", (_, texts, missing, unlike) => {
    const applied = Object.entries(texts).map(([name, sha256]) => ({ name, sha256 }));
    expect(lackingOf([file, later, ...alterations], applied)).toEqual({ missing, unlike });
  });
});
