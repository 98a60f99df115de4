import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { ATTEMPT_MS, openClient } from "#core/database/clients.ts";
import { classify, NotCommitted } from "#core/database/failure.ts";
import { type End, groupEnds, groupSteps, lastSucceeded } from "#core/database/group.ts";
import { bind } from "#core/database/protocol.ts";
import { openSender } from "#core/database/sender.ts";
import { startSqld } from "../../support/libsql/bare-sqld.ts";

const RUNS = Number(process.env.GROUP_RUNS ?? 60);
const TABLE = `CREATE TABLE things (id INTEGER PRIMARY KEY, size INTEGER NOT NULL,
  CONSTRAINT too_large CHECK (size < 10)) STRICT`;

type Statement = { sql: string; params: (number | string)[] };

const send = openSender();
const addressOf = (name: string) => ({ url: `${sqld.url}/dev/${name}/`, token: sqld.token });

const sqld = await startSqld();
for (const name of ["together", "one-by-one"]) {
  await sqld.admin("POST", `/v1/namespaces/${name}/create`, {});
  await openClient(addressOf(name), ATTEMPT_MS).execute(TABLE);
}
afterAll(() => sqld.stop());

const clear = async () => {
  for (const name of ["together", "one-by-one"])
    await openClient(addressOf(name), ATTEMPT_MS).execute("DELETE FROM things");
};
beforeEach(clear);

async function write(name: string, batches: readonly Statement[][]): Promise<End[]> {
  const bound = batches.map((statements) => statements.map(bind));
  return groupEnds(bound, await send(addressOf(name), groupSteps(bound), ATTEMPT_MS, lastSucceeded));
}

async function rows(name: string): Promise<unknown[]> {
  const { rows: found } = await openClient(addressOf(name), ATTEMPT_MS).execute("SELECT * FROM things");
  return found.map(({ id, size }) => ({ id, size }));
}

const insert = (id: number, size = 1) => ({ sql: "INSERT INTO things VALUES (?, ?)", params: [id, size] });
const told = (end: End | undefined) =>
  end !== undefined && "error" in end
    ? classify(end.error)
    : end?.results.map(({ rows: found, rowsAffected }) => ({
        rows: found.map((row) => ({ ...row })),
        rowsAffected,
      }));
const refused = (code: string) => ({ kind: "refused", code });
const DONE = [{ rows: [], rowsAffected: 1 }];

describe("a group of batches on sqld", () => {
  test("undoes a refused one as a whole, and no other; each sees what those before it left", async () => {
    const ends = await write("together", [
      [insert(1)],
      [insert(2), insert(1)],
      [{ sql: "SELECT id FROM things", params: [] }, insert(3)],
      [insert(4), insert(5, 10)],
      [insert(2)],
    ]);
    expect(ends.map(told)).toEqual([
      DONE,
      refused("things.id"),
      [{ rows: [{ id: 1 }], rowsAffected: 0 }, ...DONE],
      refused("too_large"),
      DONE,
    ]);
    expect(await rows("together")).toEqual([1, 2, 3].map((id) => ({ id, size: 1 })));
  });

  test("lets a batch take its own part back, as a dry run does", async () => {
    const dryRun = [{ sql: "SAVEPOINT dry_run", params: [] }, insert(1)];
    const back = { sql: "ROLLBACK TO dry_run", params: [] };
    const ends = await write("together", [
      [insert(2)],
      [...dryRun, back],
      [...dryRun, insert(2), back],
      [insert(3)],
    ]);
    expect(ends.map((end) => "results" in end)).toEqual([true, true, false, true]);
    expect(await rows("together")).toEqual([2, 3].map((id) => ({ id, size: 1 })));
  });

  test("runs nothing outside where its transaction ends by itself in the middle, and is not done", async () => {
    const ending = { sql: "INSERT OR ROLLBACK INTO things VALUES (?, ?)", params: [1, 1] };
    const ends = await write("together", [
      [insert(1)],
      [insert(2), ending, insert(3)],
      [insert(4)],
      [insert(5)],
    ]);
    for (const end of ends) expect(end).toEqual({ error: expect.any(NotCommitted) });
    expect(await rows("together")).toEqual([]);
    // Nor where the statement that ended it succeeded.
    const rollback = { sql: "ROLLBACK", params: [] };
    for (const end of await write("together", [[insert(1)], [rollback], [insert(4)], [insert(5)]]))
      expect(end).toEqual({ error: expect.any(NotCommitted) });
    expect(await rows("together")).toEqual([]);
  });
});

const statement = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 10 })) },
  fc.constantFrom<Statement>(
    { sql: "UPDATE things SET size = size + 1 WHERE id < 4 RETURNING id, size", params: [] },
    { sql: "DELETE FROM things WHERE id = 2", params: [] },
    { sql: "SELECT count(*) AS n FROM things", params: [] },
    { sql: "SELECT * FROM nowhere", params: [] },
    { sql: "SELECT json_extract('{', '$.a')", params: [] },
  ),
);
const batch = fc.array(
  statement.map((one) => (Array.isArray(one) ? insert(...one) : one)),
  { minLength: 1, maxLength: 4 },
);

test("a group leaves the rows and gives the answers that its batches would one by one", async () => {
  const groups = fc.array(batch, { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(groups, async (batches) => {
    const together = await write("together", batches);
    const alone: End[] = [];
    for (const one of batches) alone.push(...(await write("one-by-one", [one])));
    expect(together.map(told)).toEqual(alone.map(told));
    expect(await rows("together")).toEqual(await rows("one-by-one"));
  });
  await fc.assert(property.beforeEach(clear), { numRuns: RUNS });
});
