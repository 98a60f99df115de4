import { sql } from "drizzle-orm";
import { integer, SQLiteAsyncDialect, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as z from "zod";
import { columnsBut, columnsOf, emptied } from "#core/sql/columns.ts";
import { added, flag, from, idText, instant, json, nullable } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";

const things = sqliteTable("things", {
  id: integer("id").primaryKey(),
  fullName: text("full_name").notNull(),
  ownerId: integer("owner_id"),
  isActive: integer("is_active").notNull().default(1),
  tags: text("tags"),
  deletedAt: integer("deleted_at"),
  createdAt: integer("created_at").notNull(),
});
const thing = record(things, {
  id: idText,
  full_name: z.string(),
  keeper: from(things.ownerId, nullable(idText)),
  is_active: flag,
  tags: json(z.array(z.string()).nullable()),
  label: added(z.string(), ({ id, full_name }: { id: number; full_name: string }) => `${id} ${full_name}`),
  created_at: instant,
});
const row = { id: 7, full_name: "A", keeper: null, is_active: 1, tags: ["x"], created_at: 0 };
const dialect = new SQLiteAsyncDialect();

test("a record is selected from the columns that its fields are named after, without what was deleted", () => {
  expect(dialect.sqlToQuery(thing.select(sql`${things.id} = ${7}`))).toMatchObject({
    sql: `SELECT json_object('id', "things"."id", 'full_name', "things"."full_name", 'keeper', "things"."owner_id", 'is_active', "things"."is_active", 'tags', json("things"."tags"), 'created_at', "things"."created_at") AS snapshot FROM "things" WHERE "things"."deleted_at" is null AND "things"."id" = ?`,
    params: [7],
  });
});

test("a record is rendered as its schema says, and the row stays as it was", () => {
  const before = structuredClone(row);
  expect(thing.schema.parse(thing.render(row))).toEqual({
    id: "7",
    full_name: "A",
    keeper: null,
    is_active: true,
    tags: ["x"],
    label: "7 A",
    created_at: "1970-01-01T00:00:00.000Z",
  });
  expect(row).toEqual(before);
});

test("a variant has the fields that were picked, or all but some", () => {
  const named = thing.pick("id", "full_name");
  expect(named.schema.parse(named.render({ id: 7, full_name: "A" }))).toEqual({ id: "7", full_name: "A" });
  expect(Object.keys(thing.omit("tags", "label", "created_at").schema.shape)).toEqual([
    "id",
    "full_name",
    "keeper",
    "is_active",
  ]);
});

test("a body is stored in the columns that its members are named after", () => {
  const body = { full_name: "A", is_active: false, tags: ["x"] };
  expect(columnsOf(things, body, ["tags"])).toEqual({ fullName: "A", isActive: 0 });
  expect(columnsBut(things, ["id", "tags", "deletedAt"])).toEqual([
    "fullName",
    "ownerId",
    "isActive",
    "createdAt",
  ]);
  expect(dialect.sqlToQuery(emptied(things, ["deletedAt"])).sql).toBe('"owner_id" = NULL, "tags" = NULL');
});

test("a field that no column has, or of another type, does not compile", () => {
  // @ts-expect-error: no column has the name
  expect(() => record(things, { name: z.string() }).columns()).toThrow("No column has the name name");
  // @ts-expect-error: the column holds a number
  record(things, { id: z.string() });
  // @ts-expect-error: it may be null
  record(things, { tags: z.string() });
  // @ts-expect-error: no column has the name
  columnsOf(things, { name: "A" });
  // @ts-expect-error: the column holds text
  columnsOf(things, { full_name: 1 });
});
