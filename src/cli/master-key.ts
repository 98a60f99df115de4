import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import type * as z from "zod";
import type { KeyRotation, ReencryptedDatabase } from "#tenancy/rotation/schema.ts";
import type { Readiness } from "./doctor/readiness.ts";
import { Failure } from "./failure.ts";
import { callOnce, callPlatform, listPlatform, type PlatformArguments, print } from "./request.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

type State = z.infer<typeof KeyRotation>;
type Database = z.infer<typeof ReencryptedDatabase>;

const PATH = "/platform/key-rotation";
const LACKS_KEY =
  "The service lacks the master key of its companies: neither of these opens the tokens of the oldest. `company-ops doctor` names the key that they need";
const PAUSE_MS = 5_000;

const rotate = defineCommand({
  meta: { description: "Encrypt everything with the current master key" },
  args: { ...platformOptions, json: jsonOption },
  async run({ args }) {
    const state = await callOnce<State>(args, PATH);
    if (args.json) return print(state);
    write(`Begun: everything is being encrypted with ${state.current_key_id} anew, in the background`);
    write("company-ops master-key status --watch shows when it has ended");
  },
});

const status = defineCommand({
  meta: {
    description:
      "Show what is encrypted with which master key, and where; ends with 1 while something is left",
  },
  args: {
    ...platformOptions,
    watch: { type: "boolean", description: "Show it every 5 seconds, until all has been looked through" },
    json: jsonOption,
  },
  async run({ args }) {
    let state = await callPlatform<State>(args, "GET", PATH);
    while (args.watch === true && state.rotation?.status === "waiting") {
      write(progressOf(state));
      await setTimeout(PAUSE_MS);
      state = await callPlatform<State>(args, "GET", PATH);
    }
    const left = await leftIn(args, state);
    const { faults } = await callPlatform<Readiness>(args, "GET", "/platform/readiness");
    const lacksKey = faults.includes("no_key_opens");
    if (args.json) print({ ...state, left, lacks_key: lacksKey });
    else report(state, left, lacksKey);
    if (lacksKey || !isDone(state)) process.exitCode = 1;
  },
});

export const masterKey = defineCommand({
  meta: { description: "The change of the master key" },
  subCommands: { rotate, status },
});

/** Whether the current key encrypts everything; a service that never had another needs no rotation for it. */
function isDone({ current_key_id: current, previous_key_id: previous, rotation }: State): boolean {
  if (rotation === null) return previous === null;
  return rotation.status === "done" && rotation.key_id === current;
}

/** The databases in which something went wrong, each with what is still encrypted with another key there. */
async function leftIn(args: PlatformArguments, { rotation }: State): Promise<Database[]> {
  if (rotation === null || rotation.databases.failed === 0) return [];
  const failed = await listPlatform<Database>(args, `${PATH}/databases`, { status: "failed" });
  return failed.map((one) => ({
    ...one,
    values: one.values.filter(({ key_id: id }) => id !== rotation.key_id),
  }));
}

function report(state: State, left: readonly Database[], lacksKey: boolean): void {
  const { current_key_id: current, previous_key_id: previous, rotation } = state;
  write(`MASTER_KEY is ${current}, PREVIOUS_MASTER_KEY ${previous ?? "is not set"}`);
  if (lacksKey) write(LACKS_KEY);
  if (rotation === null) {
    if (lacksKey) return;
    write("Nothing was encrypted anew yet: company-ops master-key rotate");
    return;
  }
  write(`Started ${rotation.started_at} by ${rotation.started_by}. ${progressOf(state)}`);
  for (const { key_id: id, values } of rotation.values)
    write(`${String(values).padStart(8)} values are encrypted with ${nameOf(id)}`);
  for (const { database, error, values } of left) {
    write(`${database}: ${error}`);
    for (const { column, key_id: id, values: held } of values)
      write(`${String(held).padStart(8)} of ${column} with ${nameOf(id)}`);
  }
  if (lacksKey || rotation.status !== "done") return;
  if (rotation.key_id !== current)
    throw new Failure("The service has another master key by now: run company-ops master-key rotate");
  write(previous === null ? "All is done" : "Nothing needs PREVIOUS_MASTER_KEY any more: it may be dropped");
}

function progressOf({ rotation }: State): string {
  const { waiting = 0, done = 0, failed = 0 } = rotation?.databases ?? {};
  return `Databases: ${done} done, ${waiting} waiting, ${failed} failed`;
}

function nameOf(keyId: string | null): string {
  return keyId ?? "no key: it was never encrypted";
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
