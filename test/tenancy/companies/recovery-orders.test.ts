import { expect, test } from "vitest";
import { seededRandom } from "../../../src/sandbox/gateways/seeded-random.ts";
import { type Key, must, platform } from "../../support/company.ts";
import { type ControlRows, Recovery } from "./recovery.ts";

type Backup = ControlRows | null;
type World = { recovery: Recovery; backup: Backup; rotated: Key; stale: Key[]; closed: boolean };
type Step = "back up" | "restore" | "use spare" | "remove spare" | "rotate" | "close" | "lose";

const STEPS: Step[] = ["back up", "restore", "use spare", "remove spare", "rotate", "close", "lose"];
const RANDOM = Number(process.env.RECOVERY_ORDERS ?? 2);
const MOST_STEPS = 7;

const ORDERS: Step[][] = [
  ["back up", "restore", "lose"],
  ["restore", "back up", "use spare", "lose", "use spare", "lose"],
  ["back up", "restore", "rotate", "close", "lose"],
  ["restore", "lose", "use spare", "back up", "use spare", "use spare", "lose"],
];

/** What the operator or the company does; a step that its state has no room for does nothing. */
async function take(world: World, step: Step): Promise<void> {
  const { recovery } = world;
  const { company } = recovery;
  if (step === "back up") world.backup = await recovery.backUp();
  if (step === "restore" && recovery.spare === null && !world.closed) await recovery.restore();
  if (step === "use spare" && recovery.spare !== null && !world.closed)
    await recovery.suspended(() => recovery.change(String(recovery.spare)));
  // A backup that names the database which is removed asks for `--lost`, which another test has.
  if (step === "remove spare" && recovery.spare !== null && world.backup === null)
    await recovery.removeSpare();
  if (step === "rotate" && !world.closed) {
    const path = `/settings/:company/keys/${world.rotated.client_id}/rotate`;
    const rotation = company.call<Key>("POST", path, { body: { overlap_seconds: 0 } });
    world.stale.push(world.rotated);
    world.rotated = must(await rotation, 200).body.data;
  }
  if (step === "close" && !world.closed) {
    must(await platform("POST", `/platform/companies/${company.slug}/close`), 200);
    world.closed = true;
  }
  if (step === "lose") await lose(world);
  if (!world.closed) await recovery.work();
}

/** Whatever was put back, no write is taken by what was replaced; and the one that has the place is found by name. */
async function lose(world: World): Promise<void> {
  const { recovery, backup } = world;
  await recovery.lose(backup);
  const isReplaced = backup !== null && backup.company.database_name !== recovery.own;
  if (isReplaced) expect(await recovery.tryToWork()).toBe(503);
  const said = (await recovery.claims()).filter(({ company }) => company !== null);
  expect(said).toMatchObject([{ database: recovery.own }]);
  const [right = expect.fail("No database says that it is the company's")] = said;
  expect(await recovery.adopt(right)).toMatchObject({
    reason: null,
    replaced: isReplaced ? backup?.company.database_name : null,
  });
  if (isReplaced) recovery.spare = String(backup?.company.database_name);
  else recovery.spare = backup === null ? null : (backup.company.spare_database_name as string | null);
  const now = await recovery.backUp();
  expect(now.company).toMatchObject({
    database_name: recovery.own,
    spare_database_name: recovery.spare,
    status: world.closed ? "suspended" : "active",
  });
  const live = now.keys.filter(({ revoked_at: at }) => at === null);
  expect(live.length === 0).toBe(world.closed);
}

async function holds({ recovery, rotated, stale, closed }: World): Promise<void> {
  if (closed) {
    expect(await recovery.read()).toBe(401);
    return;
  }
  expect(await recovery.read()).toEqual(recovery.held.get(recovery.own));
  await expect.poll(() => recovery.read(rotated)).toEqual(recovery.held.get(recovery.own));
  for (const key of stale)
    if (key.client_secret !== rotated.client_secret) await expect.poll(() => recovery.read(key)).toBe(401);
}

function randomOrder(seed: number): Step[] {
  const random = seededRandom(seed);
  const length = 3 + Math.floor(random() * (MOST_STEPS - 2));
  const steps = Array.from({ length }, () => STEPS[Math.floor(random() * STEPS.length)] ?? "lose");
  return [...steps, "lose"];
}

const orders = [...ORDERS, ...Array.from({ length: RANDOM }, (_, seed) => randomOrder(seed + 1))];

test.each(orders.map((order) => ({ order, said: order.join(", ") })))(
  "recovery never turns back, whatever the order: $said",
  async ({ order }) => {
    const recovery = await Recovery.open(3 * MOST_STEPS);
    const rotated = await recovery.company.key("customers:read");
    const world: World = { recovery, backup: null, rotated, stale: [], closed: false };
    await recovery.work();
    for (const step of order) await take(world, step);
    await holds(world);
  },
);
