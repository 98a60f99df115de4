import { eq, type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { expect, expectTypeOf, inject, test } from "vitest";
import { Database } from "#core/database/database.ts";
import { type Given, keptQuery, keptStatement } from "#core/sql/kept-statements.ts";
import { customers } from "#tables/customers";
import { newCustomer } from "../../features/commerce.ts";
import { openCompany } from "../../support/company.ts";

const dialect = new SQLiteAsyncDialect();
const built = (statement: SQL) => {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, params };
};
const between = () =>
  keptStatement(
    ({ low, high }: Given<{ low: number; high: number | null }>) =>
      sql<{ id: number }>`SELECT ${customers.id}, '?' FROM ${customers} WHERE ${customers.id} > ${low}
        AND ${customers.id} < ${high} AND ${low} <> 7`,
  );

test("a statement is built once, at its first use", () => {
  let times = 0;
  const one = keptStatement(({ id }: Given<{ id: number }>) => {
    times += 1;
    return sql`SELECT 1 FROM ${customers} WHERE ${customers.id} = ${id}`;
  });
  expect(times).toBe(0);
  expect([1, 2, 3].map((id) => built(one({ id })).params)).toEqual([[1], [2], [3]]);
  expect(times).toBe(1);
});

test("each use binds its own values, each wherever it stands, and changes no other's", () => {
  const select = between();
  const [first, second] = [select({ low: 1, high: 9 }), select({ low: 2, high: null })];
  const text = expect.stringContaining(`SELECT "customers"."id", '?' FROM "customers"`);
  expect(built(second)).toEqual({ text, params: [2, null, 2] });
  expect(built(first)).toEqual({ text, params: [1, 9, 1] });
  expect(built(first).text).toBe(built(second).text);
  expectTypeOf(first).toEqualTypeOf<SQL<{ id: number }>>();
});

test("a part of a statement keeps the order of what the whole binds", () => {
  const within = sql`SELECT ${"before"} FROM (${between()({ low: 1, high: 2 })}) WHERE ${"after"}`;
  expect(built(within).params).toEqual(["before", 1, 2, 1, "after"]);
  const outer = keptStatement(
    ({ inner, most }: Given<{ inner: SQL; most: number }>) => sql`SELECT 1 FROM (${inner}) LIMIT ${most}`,
  );
  const { params } = built(outer({ inner: between()({ low: 3, high: 4 }), most: 5 }));
  expect(params).toEqual([3, 4, 3, 5]);
});

test("a value that is missing or named otherwise is refused, by the compiler and at its use", () => {
  const select = between();
  // @ts-expect-error: `high` is missing.
  expect(() => select({ low: 1 })).toThrow('no value for "high"');
  // @ts-expect-error: there is no `hgih`.
  expect(() => select({ low: 1, hgih: 2 })).toThrow('no value for "high"');
  // @ts-expect-error: undefined is no value.
  expect(() => select({ low: undefined, high: 2 })).toThrow('no value for "low"');
  // @ts-expect-error: `low` is a number.
  select({ low: "1", high: 2 });
  // @ts-expect-error: nothing is given under `id`.
  keptStatement(({ id }: Given<{ low: number }>) => sql`SELECT ${id}`);
});

test("a value that comes past what a call gives is refused: it would be the first call's for ever", () => {
  const now = 5;
  const frozen = keptStatement(({ id }: Given<{ id: number }>) => sql`SELECT ${id}, ${now}`);
  expect(() => frozen({ id: 1 })).toThrow("binds a value that no call gives: SELECT ?, ?");
});

test("what is given can only be taken by name: a spread would be empty, and leave a hole in the text", () => {
  const spread = keptStatement(
    ({ id, ...rest }: Given<{ id: number; name: string }>) => sql`${id} ${rest.name}`,
  );
  expect(() => spread({ id: 1, name: "x" })).toThrow("by name");
});

test("a kept query of the builder gives its rows, typed, beside others in one batch", async () => {
  const company = await openCompany();
  const { id: meera } = await newCustomer(company);
  const { id: ravi } = await newCustomer(company);
  const { libsqlUrl, libsqlToken } = inject("service");
  const database = new Database({ url: `${libsqlUrl}/dev/${company.namespace}/`, token: libsqlToken });
  const select = keptQuery((db, { id }: Given<{ id: number }>) =>
    db
      .select({ own: { id: customers.id }, gstin: customers.gstin })
      .from(customers)
      .where(eq(customers.id, id)),
  );
  const count = database.build.all<{ found: number }>(sql`SELECT 1 AS found`);
  const [first, counted, second] = await database.read([
    select({ id: Number(meera) }),
    count,
    select({ id: Number(ravi) }),
  ]);
  expectTypeOf(first).toEqualTypeOf<{ own: { id: number }; gstin: string | null }[]>();
  expect(first.map(({ own }) => String(own.id))).toEqual([meera]);
  expect(second.map(({ own }) => String(own.id))).toEqual([ravi]);
  expect(counted).toMatchObject([{ found: 1 }]);
});
