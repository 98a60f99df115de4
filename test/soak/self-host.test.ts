import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { createClient } from "@libsql/client/web";
import { afterEach, expect, test } from "vitest";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { sqldBinary } from "../../src/sandbox/database-server/sqld-binary.ts";
import { shellBlocks } from "../support/company-ops.ts";
import { type Machine, PAGES, type Part, service, unit } from "./self-host-parts.ts";

const ROOT = join(import.meta.dirname, "../..");
const PATIENT = 240_000;
// Longer than a start on a busy machine; a watcher that ended a service which answers would have done so after it.
const WATCHDOG_SECONDS = 40;
const AFTER_IT_MS = (WATCHDOG_SECONDS + 5) * 1_000;

const { PATH = "", HOME = "" } = process.env;
const running: ChildProcess[] = [];
const folders: string[] = [];

await promisify(execFile)("npm", ["run", "build"], { cwd: ROOT });
afterEach(async () => {
  while (running.length > 0) await stopLast();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A folder and ports in place of those of the pages. */
async function newMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "self-host-"));
  folders.push(folder);
  const [data, admin, http, metrics] = await Promise.all(Array.from({ length: 4 }, findFreePort));
  const places: [string, string][] = [
    ["8080", String(data)],
    ["8081", String(admin)],
    ["8787", String(http)],
    ["9464", String(metrics)],
    ["https://api.example.com", `http://127.0.0.1:${http}`],
    ["/etc/company-operations", join(folder, "etc")],
    ["/var/lib", join(folder, "lib")],
    ["/opt/company-operations", ROOT],
    ["/usr/local/bin/sqld", sqldBinary()],
    ["/bin/sqld", sqldBinary()],
    ["/usr/bin/node", process.execPath],
    ["useradd --system sqld; useradd --system worker", ":"],
    ["npm ci --omit=dev && npm run build", ":"],
    ["0.0.0.0", "127.0.0.1"],
    ["http://sqld:", "http://localhost:"],
    ['"/watched.sh"', `"${join(PAGES, "watched.sh")}"`],
  ];
  const place = (text: string) =>
    text === "node" ? process.execPath : places.reduce((said, [from, to]) => said.replaceAll(from, to), text);
  return { folder, place };
}

/** The shell commands below a heading of the page. */
function commandsOf(heading: string): string {
  const blocks = shellBlocks("self-host/README.md", heading);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.join("\n");
}

async function start({ command: [file = "", ...words], environment, health: [ask, ...asking] }: Part) {
  const child = spawn(file, words, {
    env: { PATH, HOME, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.push(child);
  // That of compose is asked again and again, that of a unit does so itself.
  if (ask !== undefined)
    await expect
      .poll(
        () =>
          promisify(execFile)(ask, asking).then(
            () => "well",
            () => "ill",
          ),
        { timeout: 60_000 },
      )
      .toBe("well");
}

/** A process that another one has started, by the name of its program. */
async function childOf(parent: number, program: string): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["--ppid", String(parent), "-o", "pid=,args="]);
  const [child] = stdout.split("\n").filter((line) => line.trim().split(/\s+/)[1]?.endsWith(`/${program}`));
  if (child === undefined) throw new Error(`${parent} has no ${program}:\n${stdout}`);
  return Number.parseInt(child, 10);
}

function mainProcessOf(watcher: number): Promise<number> {
  return childOf(watcher, "node");
}

async function stopLast(): Promise<void> {
  const child = running.pop();
  if (child === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The lines that a monitor reads of the service. */
async function metricsOf({ environment: { METRICS_PORT } }: Part): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`);
  expect(answer.headers.get("Content-Type")).toContain("text/plain; version=0.0.4");
  return (await answer.text()).split("\n");
}

/** What the Worker says as it ends where its control database was made of another text. */
async function refusalOf({ command: [file = "", ...words], environment }: Part): Promise<string> {
  const { CONTROL_DATABASE_URL: url = "", CONTROL_DATABASE_TOKEN: authToken = "" } = environment;
  const control = createClient({ url, authToken });
  await control.execute("UPDATE migrations SET sha256 = 'another' WHERE name = '01_core'");
  control.close();
  const ended = promisify(execFile)(file, words, { env: { PATH, HOME, ...environment } });
  return ended.then(
    () => "",
    ({ stderr }: { stderr: string }) => stderr,
  );
}

function shell({ folder, place }: Machine, script: string) {
  // npx keeps a link to this tree's command in its cache, and an older tree's link may point at nothing.
  const cache = { npm_config_cache: join(folder, "npm") };
  const env = { PATH: `${join(ROOT, "node_modules/.bin")}:${PATH}`, HOME, DATA_DIR: folder, ...cache };
  return promisify(execFile)("bash", ["-e", "-c", place(script)], { cwd: ROOT, env, timeout: 120_000 });
}

test.each<[string, (machine: Machine, name: "sqld" | "worker") => Promise<Part>]>([
  [
    "the units of systemd",
    (machine, name) => unit(machine, name === "sqld" ? "sqld.service" : "company-operations.service"),
  ],
  ["the services of the compose file", service],
])(
  "%s start a service that the doctor calls well, with the commands of the page",
  async (_, partOf) => {
    const machine = await newMachine();
    await shell(machine, commandsOf("Prepare"));
    await start(await partOf(machine, "sqld"));
    const worker = await partOf(machine, "worker");
    await start(worker);
    const { stdout } = await shell(machine, commandsOf("First run, and after each new release"));
    expect(stdout).toContain("Companies are up to date");
    expect(stdout.match(/^ok /gm)?.length).toBeGreaterThan(10);
    expect(stdout).not.toMatch(/^no /m);
    expect(await metricsOf(worker)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^company_operations_requests_total\{operation="createCustomer",status="201"\} [1-9]/,
        ),
        expect.stringMatching(
          /^company_operations_request_duration_seconds_bucket\{le="0\.25",operation="createCustomer"\}/,
        ),
        "company_operations_ready 1",
        "company_operations_writes_waiting 0",
        "company_operations_circuit_breakers_open 0",
        expect.stringMatching(/^company_operations_queue_jobs\{queue="messages"\} \d/),
      ]),
    );
    await stopLast();
    expect(await refusalOf(worker)).toContain("another 01_core than this version");
  },
  PATIENT,
);

test.each<["main process" | "runtime", (watched: number) => Promise<number>, number]>([
  ["main process", mainProcessOf, AFTER_IT_MS],
  ["runtime", async (watched) => childOf(await mainProcessOf(watched), "workerd"), 0],
])(
  "a service whose %s is frozen is ended, for its unit to start it again",
  async (_, frozenOf, answersForMs) => {
    const machine = await newMachine();
    await shell(machine, commandsOf("Prepare"));
    const worker = await unit(machine, "company-operations.service");
    await start({
      ...worker,
      environment: { ...worker.environment, WATCHDOG_SECONDS: String(WATCHDOG_SECONDS) },
    });
    const watcher = running.pop();
    if (watcher?.pid === undefined) throw new Error("Nothing was started");
    const main = await mainProcessOf(watcher.pid);
    const runtime = await childOf(main, "workerd");
    const frozen = await frozenOf(watcher.pid);
    await wait(answersForMs);
    expect(watcher.exitCode).toBeNull();
    const ended = once(watcher, "exit");
    process.kill(frozen, "SIGSTOP");
    expect(await ended).toEqual([128 + constants.signals.SIGKILL, null]);
    expect(() => process.kill(main, 0)).toThrow("ESRCH");
    // A unit ends all of its processes.
    process.kill(runtime, "SIGKILL");
  },
  PATIENT,
);

test(
  "a service whose port is taken ends, and says what may hold it",
  async () => {
    const machine = await newMachine();
    await shell(machine, commandsOf("Prepare"));
    const { command, environment } = await unit(machine, "company-operations.service");
    const taken = createServer().listen(Number(machine.place("8787")), "127.0.0.1");
    await once(taken, "listening");
    const [node = "", script = ""] = command.slice(2);
    const ended = promisify(execFile)(node, [script], { env: { PATH, HOME, ...environment } });
    await expect(ended).rejects.toThrow(
      `Another process listens at 127.0.0.1:${machine.place("8787")}: where it is the workerd of a service that was killed`,
    );
    taken.close();
  },
  PATIENT,
);

test("the watcher takes whole seconds alone", async () => {
  const watched = (seconds: string) =>
    promisify(execFile)(join(PAGES, "watched.sh"), ["1", "true"], {
      env: { ...process.env, WATCHDOG_SECONDS: seconds },
    });
  await watched("0");
  await expect(watched("1.5")).rejects.toThrow("WATCHDOG_SECONDS is no whole number of seconds");
});
