import { describe, expect, test } from "vitest";
import { clientOf, must, platform, platformRead, setFaults } from "../../support/company.ts";
import { rowsIn } from "../../support/databases.ts";
import { expectSound } from "../../support/oracles.ts";
import { type Claim, Recovery } from "./recovery.ts";

const STANDING = "SELECT generation, replaced_by, replaced_generation FROM database_generation";
const standing = async (database: string) => (await rowsIn(clientOf(database), STANDING, []))[0];
const taken = (by: string) => ({ status: 409, message: expect.stringContaining(`${by} has taken`) });

test("a company restored into after the backup is never served by the replaced database, and rebuilt by name", async () => {
  const recovery = await Recovery.open();
  await recovery.work();
  const backup = await recovery.backUp();
  const old = recovery.own;
  await recovery.restore();
  await recovery.work();
  await recovery.lose(backup);

  const refused = await recovery.write();
  expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
  await expect.poll(() => recovery.read()).toBe(503);
  const claims = await recovery.claims();
  expect(claims.find(({ database }) => database === old)).toMatchObject({
    company: null,
    reason: null,
    replaced_by: recovery.own,
  });
  const [right, ...others] = claims.filter(({ company }) => company !== null);
  expect(others).toEqual([]);
  if (right === undefined) throw new Error("No database says that it is the company's");
  expect(await recovery.adopt(right)).toMatchObject({ outcome: "changed", replaced: old });
  expect(await recovery.adopt(right)).toMatchObject({ outcome: "unchanged", replaced: null });
  expect(await recovery.read()).toEqual(recovery.held.get(recovery.own));
  await recovery.work();
  expect(await rowsIn(clientOf(old), "SELECT name FROM customers", [])).toEqual([{ name: "Customer 1" }]);
  expect(await recovery.backUp()).toMatchObject({
    company: { database_name: recovery.own, spare_database_name: old, database_generation: 2 },
  });
  await recovery.suspended(() => recovery.change(old));
  expect(await recovery.read()).toEqual(["Customer 1"]);
  await expectSound(recovery.company);
});

test("each database that takes the place of another has a higher generation, and the other one bears it", async () => {
  const recovery = await Recovery.open();
  const first = recovery.own;
  expect(await standing(first)).toEqual({ generation: 1, replaced_by: null, replaced_generation: null });
  await recovery.restore();
  const second = recovery.own;
  expect(await standing(first)).toEqual({ generation: 1, replaced_by: second, replaced_generation: 2 });
  expect(await standing(second)).toEqual({ generation: 2, replaced_by: null, replaced_generation: null });
  await recovery.suspended(() => recovery.change(first));
  expect(await standing(first)).toEqual({ generation: 3, replaced_by: null, replaced_generation: null });
  expect(await standing(second)).toEqual({ generation: 2, replaced_by: first, replaced_generation: 3 });
  await expect(clientOf(first).execute("UPDATE database_generation SET generation = 2")).rejects.toThrow(
    "generation_falls",
  );
});

test("a database that is lost is replaced where the operator says so by its name, and is shut out for good", async () => {
  const recovery = await Recovery.open();
  await recovery.work();
  const backup = await recovery.backUp();
  const lost = recovery.own;
  must(await recovery.company.patch({ status: "suspended" }), 200);
  const spare = await recovery.fillSpare();
  await setFaults(lost, [{ kind: "status", status: 403 }]);
  const refused = { status: 409, message: expect.stringContaining(`--lost ${lost}`) };
  expect((await recovery.use(spare)).body).toMatchObject(refused);
  expect((await recovery.use(spare, { lost: spare })).body).toMatchObject(refused);
  must(await recovery.use(spare, { lost }), 200);
  recovery.own = spare;
  must(await recovery.company.patch({ status: "active" }), 200);
  await recovery.work();
  await setFaults(lost, []);

  // It is there again, as it was; and so is the control database.
  await expect(clientOf(lost).execute("SELECT 1")).rejects.toThrow();
  await recovery.lose(backup);
  expect(await recovery.write()).toMatchObject({ status: 503, body: { code: "database_blocked" } });
  const path = `/platform/databases/${spare}`;
  const claim = await platformRead<Claim>(path);
  const { digest } = claim;
  expect(must(await platform("POST", `${path}/adopt`, { digest }), 200).body.data).toMatchObject({
    outcome: "refused",
    reason: `${recovery.company.slug} has another database: if that is lost, say so with --lost ${lost}`,
  });
  expect(await recovery.adopt(claim, lost)).toMatchObject({ outcome: "changed", replaced: lost });
  await recovery.work();
  expect(await recovery.read()).toEqual(recovery.held.get(spare));
});

test("nothing that has the place of another is turned back: not by a spare one, nor by its removal", async () => {
  const recovery = await Recovery.open();
  const first = recovery.own;
  await recovery.restore();
  const second = recovery.own;
  const backup = await recovery.backUp();
  await recovery.suspended(() => recovery.change(first));
  await recovery.work();
  // The control database says that the second one is the company's, and the first one is spare.
  await recovery.lose(backup);
  const removed = await platform("DELETE", `${recovery.path}/${first}`);
  expect(removed.body).toMatchObject(taken(first));
  must(await recovery.company.patch({ status: "suspended" }), 200);
  const undone = await recovery.use(second);
  expect(undone.body).toMatchObject(taken(first));
  must(await recovery.use(first), 200);
  must(await recovery.company.patch({ status: "active" }), 200);
  expect(await recovery.read()).toEqual(["Customer 1"]);
  await recovery.work();
});

test("a company's database is looked at with a request that is made anyway", async () => {
  const recovery = await Recovery.open();
  const before = await recovery.company.requests();
  expect(await recovery.read()).toEqual([]);
  expect((await recovery.company.requests()) - before).toBe(1);
  must(await recovery.write(), 201);
  expect((await recovery.company.requests()) - before).toBeLessThanOrEqual(3);
});

const MARKED = "replaced_by = ?, replaced_generation = ?, replaced_at = 0";
const run = (database: string, sql: string, ...args: (string | number)[]) =>
  clientOf(database).execute({ sql: `UPDATE database_generation SET ${sql}`, args });

describe.each([
  { after: "the spare database's mark", steps: 1 },
  { after: "the mark of the company's own", steps: 2 },
  { after: "the spare database has its place", steps: 3 },
])("a change of databases that was cut off after $after", ({ steps }) => {
  async function cutOff(): Promise<{ recovery: Recovery; own: string; spare: string }> {
    const recovery = await Recovery.open();
    await recovery.work();
    must(await recovery.company.patch({ status: "suspended" }), 200);
    const own = recovery.own;
    const spare = await recovery.fillSpare();
    await run(spare, MARKED, own, 1);
    if (steps > 1) await run(own, MARKED, spare, 2);
    if (steps > 2)
      await run(spare, "generation = 2, replaced_by = NULL, replaced_generation = NULL, replaced_at = NULL");
    return { recovery, own, spare };
  }

  test("is completed by the same command", async () => {
    const { recovery, spare } = await cutOff();
    await recovery.change(spare);
    must(await recovery.company.patch({ status: "active" }), 200);
    await recovery.work();
    expect(await recovery.read()).toEqual(recovery.held.get(spare));
  });

  test("is undone, and the company has its own", async () => {
    const { recovery, own, spare } = await cutOff();
    const undone = await recovery.use(own);
    if (steps > 2) {
      expect(undone.body).toMatchObject(taken(spare));
      await recovery.change(spare);
      await recovery.change(own);
    } else must(undone, 200);
    must(await recovery.company.patch({ status: "active" }), 200);
    await recovery.work();
    expect(await recovery.read()).toEqual(["Customer 1", "Customer 2"]);
    must(await platform("DELETE", `${recovery.path}/${spare}`), 200);
    await recovery.work();
  });

  test("leaves one database that says it is the company's, should the control database be lost then", async () => {
    const { recovery, own, spare } = await cutOff();
    // The copy of the company is what the command writes before the spare one has its place.
    if (steps > 2) must(await recovery.use(spare), 200);
    await recovery.lose(null);
    const said = (await recovery.claims()).filter(({ company }) => company !== null);
    expect(said).toMatchObject([{ database: steps > 2 ? spare : own }]);
    const [right = expect.fail("No database says that it is the company's")] = said;
    expect(await recovery.adopt(right)).toMatchObject({ outcome: "opened" });
    must(await recovery.company.patch({ status: "active" }), 200);
    recovery.own = right.database;
    await recovery.work();
    expect(await recovery.read()).toEqual(recovery.held.get(right.database));
  });
});
