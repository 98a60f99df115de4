import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { openBusy } from "../../support/company.ts";
import { bodyMembers, built, exampleBody, pathOf, reads } from "../../support/operations.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { refusedFields } from "../commerce.ts";
import { type Board, newBoard } from "./board.ts";

const PROJECT = "/projects/:company/projects/:project_id";
const ofProject = built.filter(({ path }) => path.startsWith(`${PROJECT}/`));
const withRecord = ofProject.filter(({ path }) => path.includes("/:id"));

/** What each member of a body that names a record of the project refers to; `parent_id` to one of its own kind. */
const REFERENCES: Record<string, string> = {
  iteration_id: "iterations",
  area_id: "areas",
  sprint_id: "sprints",
  move_open_to: "sprints",
};
const references = ofProject.flatMap((operation) =>
  bodyMembers(operation)
    .all.filter((member) => member in REFERENCES || member === "parent_id")
    .map((member): [string, string, Operation] => [operation.id, member, operation]),
);

const kindOf = ({ path }: Operation) => path.slice(PROJECT.length + 1).split("/")[0] ?? "";

const company = await openBusy();
const here = await newBoard(company, { code: "HERE" });
const there = await newBoard(company, { code: "THERE" });
// The company's first own id makes its key of hashes.
await here.call("PUT", "/work-items/external/first", { body: { title: "First" } });
const ids = { here: await fill(here), there: await fill(there) };

async function fill(board: Board): Promise<Record<string, number>> {
  const sprint = await board.sprint();
  await board.start(sprint.id);
  return {
    "work-items": (await board.item()).id,
    areas: (await board.area("Area")).id,
    iterations: (await board.iteration({ name: "Iteration" })).id,
    milestones: (await board.milestone()).id,
    sprints: sprint.id,
  };
}

function call(operation: Operation, id: number | undefined, body: Record<string, unknown> | undefined) {
  const ofItsOwn = { external_id: randomUUID() };
  const path = pathOf(operation, { ...ofItsOwn, project_id: String(here.id), id: String(id) });
  return company.call(operation.method.toUpperCase(), path, { body });
}

test("the matrix has every operation that takes an id", () => {
  expect(withRecord.length).toBeGreaterThanOrEqual(13);
  expect(references.map(([id, member]) => `${id} ${member}`).sort()).toEqual([
    "completeSprint move_open_to",
    "createArea parent_id",
    "createIteration parent_id",
    ...["area_id", "iteration_id", "parent_id", "sprint_id"].map((name) => `createOrChangeWorkItem ${name}`),
    "createSprint iteration_id",
    "createWorkItem area_id",
    "createWorkItem iteration_id",
    "createWorkItem parent_id",
    "createWorkItem sprint_id",
    "updateArea parent_id",
    "updateIteration parent_id",
    "updateSprint iteration_id",
    "updateWorkItem area_id",
    "updateWorkItem iteration_id",
    "updateWorkItem parent_id",
    "updateWorkItem sprint_id",
  ]);
});

test.each(withRecord)("$id answers 404 for the id of another project in the path", async (operation) => {
  const body = operation.body === undefined ? undefined : exampleBody(operation);
  const before = await rowCounts(company);
  const answer = await call(operation, ids.there[kindOf(operation)], body);
  expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect(await rowCounts(company)).toEqual(before);
});

test.each(references)(
  "%s with %s answers 422 for the id of another project, and takes one of its own",
  async (_id, member, operation) => {
    const kind = REFERENCES[member] ?? kindOf(operation);
    const example = { ...exampleBody(operation) };
    if ("name" in example) example.name = `Of ${member}`;
    const before = await rowCounts(company);
    const refused = await call(operation, ids.here[kindOf(operation)], {
      ...example,
      [member]: ids.there[kind],
    });
    expect(refused.status).toBe(422);
    expect(Object.keys(refusedFields(refused))).toEqual([member]);
    if (member === "parent_id") expect(refused.body.code).toBe("parent_not_in_project");
    expect(await rowCounts(company)).toEqual(before);

    const own = member === "move_open_to" ? (await here.sprint()).id : await another(kind);
    const taken = await call(operation, ids.here[kindOf(operation)], { ...example, [member]: own });
    expect(taken.status, taken.text).toBe(operation.status);
  },
);

let names = 0;
async function another(kind: string): Promise<number> {
  names += 1;
  if (kind === "areas") return (await here.area(`Area ${names}`)).id;
  if (kind === "iterations") return (await here.iteration({ name: `Iteration ${names}` })).id;
  return kind === "sprints" ? (await here.sprint()).id : (await here.item()).id;
}

test("filters of the list by ids of another project find nothing", async () => {
  for (const [name, kind] of Object.entries({ ...REFERENCES, parent_id: "work-items" }))
    if (name !== "move_open_to") expect(await here.items(`${name}=${ids.there[kind]}`)).toEqual([]);
  expect(await here.items(`area_id=${ids.there.areas}&area_subtree=true`)).toEqual([]);
});

test("no list of one project has a record of another", async () => {
  const lists = reads.filter(
    ({ path, list }) => path.startsWith(`${PROJECT}/`) && list !== undefined && !path.includes("/:id"),
  );
  expect(lists.length).toBe(5);
  for (const operation of lists) {
    const path = pathOf(operation, { project_id: String(here.id) });
    const found = (await company.read<{ id: number }[]>(path)).map(({ id }) => id);
    expect(found).toContain(ids.here[kindOf(operation)]);
    expect(found).not.toContain(ids.there[kindOf(operation)]);
  }
  await expectSound(company);
});
