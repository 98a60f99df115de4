import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { serveOwn } from "#test/own-server.ts";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";

const WATCHED = "docs/self-host/watched.sh";
/** Longer than until its first look has ended. */
const LOOK_MS = 10_000;

const path = useFolder();
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGTERM");
});

/** Whether a server ends within a look, while the service says that writes have been stalled for so long. */
async function ends(stalledSeconds: number, after: Record<string, string> = { RESTART_SECONDS: "0" }) {
  const metrics = await serveOwn((_, response) =>
    response.end(`company_operations_writes_stalled_seconds ${stalledSeconds}\n`),
  );
  const env = { ...process.env, METRICS: new URL(metrics.url).host, ...after };
  const child = spawn("bash", [WATCHED, String(await findFreePort()), "sleep", "60"], {
    env,
    stdio: "ignore",
  });
  running.push(child);
  const ended = await Promise.race([
    once(child, "exit").then(([code]) => code),
    new Promise((resolve) => setTimeout(resolve, LOOK_MS, "runs")),
  ]);
  metrics.stop();
  return ended;
}

test("sqld is ended where a database has answered no write for a minute, unless it was just started or that did not help", {
  timeout: 2 * LOOK_MS,
}, async () => {
  const killed = 128 + 9;
  expect(
    await Promise.all([ends(60), ends(59), ends(0), ends(60, {}), ends(900), ends(60, { METRICS: "" })]),
  ).toEqual([killed, "runs", "runs", "runs", "runs", "runs"]);
});

test.each([
  ["itself is ended", "wait"],
  ["ends by itself", "exit 3"],
])(
  "what a server has started, and is stopped, ends too where the server %s",
  {
    timeout: 3 * LOOK_MS,
  },
  async (_, then) => {
    const file = path(`${then.replace(" ", "-")}.pid`);
    const server = `trap '' HUP; sleep 600 & echo $! > ${file}; kill -STOP $!; ${then}`;
    const words = [WATCHED, String(await findFreePort()), "bash", "-c", server];
    const env = { ...process.env, METRICS: "", WATCHDOG_SECONDS: "1" };
    const child = spawn("bash", words, { env, stdio: "ignore" });
    running.push(child);
    const [code] = await once(child, "exit");
    expect(code).toBe(then === "wait" ? 128 + 9 : 3);
    const pid = Number(await readFile(file, "utf8"));
    const state = async () => /^State:\s+(\w)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
    // One that has ended is gone, or a zombie until its parent looks.
    await expect.poll(() => state().catch(() => "gone")).toMatch(/^(?:gone|Z)$/);
  },
);
