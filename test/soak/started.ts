import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, expect } from "vitest";
import { credentials, type Key } from "#test/company.ts";
import { useFolder } from "#test/folder.ts";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCRIPT = join(ROOT, "src/sandbox/start.ts");
const FREED_MS = 3_000;
const shell = promisify(execFile);

/** Where the tests of a file let everything run. */
export let place: { dataDir: string; port: number; sandboxPort: number };
let running: ChildProcess | undefined;

/** Gives a file's tests a folder and two ports, and leaves nothing running after each of them, or after all. */
export async function usePlace(after: typeof afterEach | typeof afterAll = afterEach): Promise<void> {
  // Wrangler's Worker keeps the machine's clock, so that all that is started beside it has to.
  const { TEST_CLOCK = "", TEST_CLOCK_OFFSET_MS = "" } = process.env;
  Object.assign(process.env, { TEST_CLOCK: "", TEST_CLOCK_OFFSET_MS: "" });
  // The next file runs in this process too.
  afterAll(() => {
    Object.assign(process.env, { TEST_CLOCK, TEST_CLOCK_OFFSET_MS });
  });
  // What it registers first runs last.
  const folder = useFolder();
  place = { dataDir: folder(), port: await findFreePort(), sandboxPort: await findFreePort() };
  after(() => {
    running?.kill("SIGKILL");
  });
}

export type Started = ChildProcessWithoutNullStreams;

function launch(command: string, parameters: string[], variables: Record<string, string> = {}): Started {
  const places = {
    PORT: String(place.port),
    SANDBOX_PORT: String(place.sandboxPort),
    DATA_DIR: place.dataDir,
  };
  return spawn(command, parameters, { cwd: ROOT, env: { ...process.env, ...places, ...variables } });
}

/** Starts everything and waits until it says that it is up. */
export async function start(command = process.execPath, parameters = [SCRIPT]) {
  const child = launch(command, parameters);
  running = child;
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Ctrl-C ends everything")) resolve();
    });
    child.once("exit", () => reject(new Error(`It ended: ${output}${child.stderr.read() ?? ""}`)));
  });
  return { child, output };
}

/** What a start that must fail prints. */
export async function refusal(variables: Record<string, string> = {}, flags: string[] = []): Promise<string> {
  const child = launch(process.execPath, [SCRIPT, ...flags], variables);
  const [told, code] = await Promise.all([text(child.stderr), exitCode(child)]);
  expect(code).toBe(1);
  return told;
}

/** What is said at the end of a start of which a part ended by itself. */
export function goesOn(): string {
  return `All parts have ended; nothing is lost: npm start goes on with what is in ${place.dataDir}.\n`;
}

export async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Of the parts that are processes of their own, in the order of their start. */
export async function childrenOf({ pid }: ChildProcess): Promise<string[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
}

/** The ports at which the processes of a group listen. */
export async function listeningPorts(group: number): Promise<number[]> {
  const inodes = new Set<string>();
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (Number(stat.split(") ")[1]?.split(" ")[2]) !== group) continue;
    for (const fd of await readdir(`/proc/${pid}/fd`)) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  const tables = await Promise.all(["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8")));
  const sockets = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
  return sockets
    .filter(([, , , state, , , , , , inode = ""]) => state === "0A" && inodes.has(inode))
    .map(([, address = ""]) => Number.parseInt(address.split(":")[1] ?? "", 16));
}

/** A call with headers that `fetch` does not let its caller set; one that is not understood has no text. */
export async function ask(door: number, path: string, method = "GET", headers: Record<string, string> = {}) {
  const call = request({ host: "127.0.0.1", port: door, path, method, headers, timeout: 2_000 });
  call.once("timeout", () => call.destroy());
  try {
    const [answer] = await once(call.end(), "response");
    return { status: answer.statusCode as number, text: await text(answer) };
  } catch {
    return { status: 0, text: "" };
  }
}

export function printedCalls(output: string): string[] {
  return output.split("\n").filter((line) => line.startsWith("curl "));
}

/** What a printed line is answered; throws what a refusal says. */
export async function paste(line: string) {
  const answer = JSON.parse((await shell("bash", ["-c", line])).stdout);
  if (answer.data === undefined) throw new Error(`${line}: ${JSON.stringify(answer)}`);
  return answer;
}

/** The headers of a call with a JSON body. */
export const signed = (key: Key) => ({ ...credentials(key), "Content-Type": "application/json" });

export async function readCredentials() {
  return JSON.parse(await readFile(join(place.dataDir, "credentials.json"), "utf8"));
}

export async function expectFreePorts(): Promise<void> {
  const deadline = Date.now() + FREED_MS;
  const areFree = async () => (await isFree(place.port)) && (await isFree(place.sandboxPort));
  while (!(await areFree()) && Date.now() < deadline) await sleep(50);
  expect(await areFree()).toBe(true);
}

function isFree(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(candidate, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Asks as an impatient client does, whether or not anything is up. */
export function askForCustomers({ base_url, secret_key }: Awaited<ReturnType<typeof readCredentials>>): void {
  fetch(`${base_url}/customers/demo-traders`, { headers: signed(secret_key) }).catch(() => undefined);
}

/** Kills a part of what runs, and gives what the start printed about it before it ended as well. */
export async function outcomeWithout(child: Started, part: "database server" | "Worker") {
  const errors = text(child.stderr);
  const [databases, worker] = await childrenOf(child);
  process.kill(Number(part === "Worker" ? worker : databases), "SIGKILL");
  await expectFreePorts();
  return { code: await exitCode(child), told: await errors };
}
