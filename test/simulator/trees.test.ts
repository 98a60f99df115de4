import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Board, newBoard, openBoard } from "../features/projects/board.ts";
import { pagesOf } from "../support/pages.ts";

// One run in `npm test`, 11 in `npm run soak`.
const RUNS = Math.ceil(Number(process.env.MODEL_RUNS ?? 75) / 75);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const NODES = RUNS > 1 ? 1_000 : 300;
const CHILDREN = 4;
const MOST_LEVELS = 14;
type Node = { id: number; parent_id: number | null; name: string; path: string };
type Move = { node: number; parent: number | null };
type Parents = Map<number, number | null>;
const index = fc.integer({ min: 0, max: NODES - 1 });
const move = fc.record({ node: index, parent: fc.option(index, { freq: 20 }) });
/** Moves one by one, and several at once. */
const plan = fc.array(fc.oneof(fc.tuple(move), fc.array(move, { minLength: 2, maxLength: 12 })), {
  minLength: 8,
  maxLength: 12,
});

test.each(["areas", "iterations"])(
  `moves of a tree of ${NODES} %s keep it acyclic, and every path true (seed ${SEED})`,
  {
    timeout: 60_000 + RUNS * 30_000,
  },
  async (tree) => {
    const { company } = await openBoard();
    const keepsTheTree = async (rounds: Move[][]) => {
      const board = await newBoard(company);
      const ids = await plant(board, tree);
      let parents = await readTree(board, tree);
      for (const moves of rounds) {
        const calls = moves.map(({ node, parent }) => ({
          id: ids[node] ?? 0,
          to: parent === null ? null : (ids[parent] ?? 0),
        }));
        const [only] = calls;
        const predicted = calls.length === 1 && only ? predict(parents, only.id, only.to) : undefined;
        const answers = await Promise.all(
          calls.map(({ id, to }) => board.call("PATCH", `/${tree}/${id}`, { body: { parent_id: to } })),
        );
        const outcomes = answers.map(({ status, body }) =>
          status === 200 ? "moved" : (body.errors?.[0]?.code ?? body.code),
        );
        if (predicted !== undefined) expect(outcomes).toEqual([predicted]);
        for (const outcome of outcomes) expect(["moved", "cycle", "too_deep"]).toContain(outcome);

        const after = await readTree(board, tree);
        for (const [id, parent] of after) {
          const targets = calls
            .filter((call, at) => call.id === id && outcomes[at] === "moved")
            .map(({ to }) => to);
          expect(targets.length === 0 ? [parents.get(id)] : targets).toContain(parent);
        }
        parents = after;
      }
    };
    await fc.assert(fc.asyncProperty(plan, keepsTheTree), { numRuns: RUNS, seed: SEED, endOnFailure: true });
  },
);

/** A full tree straight into the database, each node with four below it; gives the ids. */
async function plant(board: Board, tree: string): Promise<number[]> {
  const database = board.company.database();
  const sql = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${NODES - 1}),
      first (id) AS (SELECT coalesce(max(id), 0) + 1 FROM ${tree})
    INSERT INTO ${tree} (id, operation, project_id, parent_id, name, created_at, updated_at)
    SELECT id + i, 'plant-' || (id + i), ?, iif(i = 0, NULL, id + (i - 1) / ${CHILDREN}), 'n' || i, 0, 0 FROM n, first
    RETURNING id`;
  const { rows } = await database.execute({ sql, args: [board.id] });
  return rows.map(({ id }) => Number(id));
}

/** The parents of all nodes, out of the list; fails on a cycle, a path that is not true, and a level too many. */
async function readTree(board: Board, tree: string): Promise<Parents> {
  const nodes = new Map<number, Node>();
  const pages = await pagesOf<Node>(board.company, board.path(`/${tree}`), { limit: "100" });
  for (const node of pages.flat()) nodes.set(node.id, node);
  expect(nodes.size).toBe(NODES);
  for (const node of nodes.values()) {
    const names: string[] = [];
    for (let at: Node | undefined = node; at !== undefined; at = nodes.get(at.parent_id ?? 0)) {
      names.unshift(at.name);
      if (names.length > MOST_LEVELS) throw new Error(`${node.path} has no end, or too many levels`);
    }
    expect(node.path).toBe(names.join("/"));
  }
  return new Map([...nodes.values()].map(({ id, parent_id }) => [id, parent_id]));
}

/** What a move alone must come to. */
function predict(parents: Parents, id: number, to: number | null): string {
  if (to === null) return "moved";
  const above = ancestors(parents, to);
  if (above.includes(id)) return "cycle";
  const heights = [...parents.keys()]
    .map((node) => ancestors(parents, node))
    .filter((line) => line.includes(id))
    .map((line) => line.indexOf(id) + 1);
  return above.length + Math.max(...heights) > MOST_LEVELS ? "too_deep" : "moved";
}

/** A node and all above it, upwards. */
function ancestors(parents: Parents, id: number): number[] {
  const line: number[] = [];
  for (let at: number | null = id; at !== null; at = parents.get(at) ?? null) line.push(at);
  return line;
}
