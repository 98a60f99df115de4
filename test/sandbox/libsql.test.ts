import { describe, expect, it } from "vitest";
import { client, execute, names, post, useServer } from "./libsql-harness.ts";

useServer();

async function pipeline(...requests: object[]) {
  const response = await post({ requests });
  expect(response.status).toBe(200);
  return (await response.json()) as {
    baton: null;
    // biome-ignore lint/suspicious/noExplicitAny: the wire is what these tests look at
    results: any[];
  };
}

describe("statements", () => {
  it("commits a write batch and reports rows, counts and the last row id", async () => {
    const [inserted, updated] = await client.batch(
      [
        { sql: "INSERT INTO items (name, stock) VALUES (?, ?), ('b', 2) RETURNING id", args: ["a", 1n] },
        { sql: "UPDATE items SET stock = stock + :more WHERE stock > 0", args: { more: 5n } },
      ],
      "write",
    );
    expect(inserted).toMatchObject({ columns: ["id"], columnTypes: ["INTEGER"], rowsAffected: 2 });
    expect(inserted?.rows.map((row) => row.id)).toEqual([1n, 2n]);
    expect(inserted?.lastInsertRowid).toBe(2n);
    expect(updated).toMatchObject({ rowsAffected: 2, lastInsertRowid: undefined });
    expect(await names()).toEqual(["a", "b"]);
  });

  it("rolls a write batch back as a whole and names the failed statement", async () => {
    const batch = client.batch(
      ["INSERT INTO items (name) VALUES ('a')", "UPDATE items SET stock = -1"],
      "write",
    );
    await expect(batch).rejects.toMatchObject({
      code: "SQLITE_CONSTRAINT",
      message: expect.stringContaining("SQLite error: CHECK constraint failed: insufficient_stock"),
      statementIndex: 1,
    });
    expect(await names()).toEqual([]);
  });

  it.each([
    ["INSERT INTO items (name) VALUES ('closed')", "SQLITE_CONSTRAINT", "SQLite error: slot_taken"],
    ["INSERT INTO items (id, name) VALUES (1, 'a'), (2, 'a')", "SQLITE_CONSTRAINT", "items.name"],
    ["INSERT INTO items (stock) VALUES ('many')", "SQLITE_CONSTRAINT", "cannot store TEXT value"],
    ["SELECT json_extract('{', '$')", "SQLITE_UNKNOWN", "SQLite error: malformed JSON"],
    ["SELECT color FROM items", "SQL_INPUT_ERROR", "no such column: color"],
    ["SELECT 1; SELECT 2", "SQL_MANY_STATEMENTS", "more than one statement"],
    ["-- nothing", "SQL_NO_STATEMENT", "does not contain any statement"],
  ])("answers the primary code and SQLite's text: %s", async (sql, code, text) => {
    await expect(client.execute(sql)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it("keeps every value as it was sent", async () => {
    const values = [9223372036854775807n, -9223372036854775808n, 5, 0.5, "₹ 'é' 👍", null];
    const { rows } = await client.execute({
      sql: "SELECT ?1 AS a, ?2 AS b, ?3 AS c, ?4 AS d, ?5 AS e, ?6 AS f, typeof(?1) AS g, typeof(?3) AS h",
      args: values,
    });
    expect(Object.values(rows[0] ?? {})).toEqual([...values, "integer", "real"]);
  });

  it("sends integers as text and keeps blobs", async () => {
    const { results } = await pipeline(execute("SELECT 9007199254740993, x'0001ff', x''"));
    expect(results[0].response.result.rows).toEqual([
      [
        { type: "integer", value: "9007199254740993" },
        { type: "blob", base64: "AAH/" },
        { type: "blob", base64: "" },
      ],
    ]);
    const bytes = new Uint8Array([0, 1, 254, 255]);
    const { rows } = await client.execute({ sql: "SELECT ? AS b", args: [bytes] });
    expect(new Uint8Array(rows[0]?.b as ArrayBuffer)).toEqual(bytes);
  });

  it("forgets the arguments of the run before", async () => {
    const sql = "SELECT ?1 AS a, ?2 AS b";
    await client.execute({ sql, args: ["first", "second"] });
    const { rows } = await client.execute({ sql, args: ["third"] });
    expect(rows[0]).toMatchObject({ a: "third", b: null });
  });

  it("runs statements again after the schema changed", async () => {
    const sql = "SELECT * FROM items";
    await client.execute(sql);
    await client.execute("ALTER TABLE items ADD COLUMN note TEXT");
    expect((await client.execute(sql)).columns).toEqual(["id", "name", "stock", "note"]);
  });
});

describe("pipelines", () => {
  const insert = (name: string, condition?: object) => ({
    ...(condition && { condition }),
    stmt: { sql: `INSERT INTO items (name) VALUES ('${name}')` },
  });

  it("uses stored SQL until it is closed", async () => {
    const stored = { type: "store_sql", sql_id: 7, sql: "SELECT 1" };
    const use = { type: "execute", stmt: { sql_id: 7 } };
    const { results } = await pipeline(stored, use, { type: "close_sql", sql_id: 7 }, { type: "close" });
    expect(results.map((result) => result.type)).toEqual(["ok", "ok", "ok", "ok"]);
    expect((await post({ requests: [use] })).status).toBe(400);
  });

  it("runs the steps whose conditions hold", async () => {
    const steps = [
      insert("a"),
      insert("a"),
      insert("no", { type: "ok", step: 1 }),
      insert("error", { type: "error", step: 1 }),
      insert("not", { type: "not", cond: { type: "ok", step: 1 } }),
      insert("no", {
        type: "and",
        conds: [
          { type: "ok", step: 0 },
          { type: "ok", step: 1 },
        ],
      }),
      insert("or", {
        type: "or",
        conds: [
          { type: "ok", step: 0 },
          { type: "ok", step: 1 },
        ],
      }),
      insert("autocommit", { type: "is_autocommit" }),
    ];
    const { results } = await pipeline({ type: "batch", batch: { steps } });
    const { step_results, step_errors } = results[0].response.result;
    expect(step_results.map((result: unknown) => result !== null)).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(step_errors.map((error: { code: string } | null) => error?.code)).toEqual([
      undefined,
      "SQLITE_CONSTRAINT",
      ...Array(6).fill(undefined),
    ]);
    expect(await names()).toEqual(["a", "error", "not", "or", "autocommit"]);
  });

  it("rolls back a transaction that a pipeline leaves open", async () => {
    const { results } = await pipeline(
      execute("BEGIN IMMEDIATE"),
      execute("INSERT INTO items (name) VALUES ('a')"),
      { type: "get_autocommit" },
    );
    expect(results[2].response).toEqual({ type: "get_autocommit", is_autocommit: false });
    expect(await names()).toEqual([]);
  });

  it("gives no baton and refuses one", async () => {
    expect((await pipeline(execute("SELECT 1"))).baton).toBeNull();
    const refused = await post({ baton: "x", requests: [] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: "STREAM_EXPIRED" });
    const transaction = await client.transaction("write");
    await transaction.execute("INSERT INTO items (name) VALUES ('a')");
    await expect(transaction.commit()).rejects.toThrow();
    expect(await names()).toEqual([]);
  });

  it("refuses what is not a pipeline", async () => {
    for (const body of ["{", "null", "{}", { requests: [{ type: "sing" }] }]) {
      expect((await post(body)).status).toBe(400);
    }
    expect((await post(" ".repeat(10 * 1024 * 1024 + 1))).status).toBe(413);
  });
});

describe("the engine", () => {
  it.each([
    [
      "recursive queries",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT sum(i) FROM n",
      10n,
    ],
    [
      "ordered aggregates",
      `SELECT json_group_array(value ORDER BY value DESC) FROM json_each('[1,3,2]')`,
      "[3,2,1]",
    ],
    ["JSON objects", `SELECT json_object('a', json('[1]'), 'b', 'x')`, `{"a":[1],"b":"x"}`],
    [
      "upserts",
      "INSERT INTO items (id, stock) VALUES (1, 5) ON CONFLICT (id) DO UPDATE SET stock = stock + 1 RETURNING stock",
      5n,
    ],
    ["returned updates", "UPDATE items SET stock = 9 WHERE id = 1 RETURNING stock", undefined],
  ])("has %s", async (_, sql, expected) => {
    const { rows } = await client.execute(sql);
    expect(rows[0]?.[0]).toEqual(expected);
  });

  it("has full-text search on trigrams", async () => {
    await client.execute("CREATE VIRTUAL TABLE found USING fts5(text, tokenize = 'trigram')");
    await client.execute("INSERT INTO found VALUES ('Masala Chai 250 g')");
    expect((await client.execute("SELECT text FROM found WHERE found MATCH 'la cha'")).rows).toHaveLength(1);
  });
});
