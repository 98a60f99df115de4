import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../../src/sandbox/ports.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_MS = 30_000;
const FREED_MS = 3_000;
const run = promisify(execFile);

let dataDir: string;
let port: number;
let sandboxPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "company-operations-start-"));
  port = await findFreePort();
  sandboxPort = await findFreePort();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe("npm start", { timeout: 2 * START_MS }, () => {
  test("brings the system up, and the lines it prints work when pasted; SIGTERM ends it", async () => {
    const { child, output } = await start();
    const credentials = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
    expect(credentials).toEqual({
      base_url: `http://localhost:${port}/v1`,
      alt_base_url: `http://localhost:${port}/api/v1`,
      sandbox_url: `http://localhost:${sandboxPort}`,
      platform_token: expect.any(String),
      company: "demo-traders",
      secret_key: { client_id: expect.stringMatching(/^ck_/), client_secret: expect.stringMatching(/^sk_/) },
      publishable_key: {
        client_id: expect.stringMatching(/^pk_/),
        origin: `http://localhost:${sandboxPort}`,
        company: "demo-driving",
      },
    });

    const lines = output.split("\n").filter((line) => line.startsWith("curl "));
    expect(lines).toHaveLength(3);
    const answers = await Promise.all(
      lines.map(async (line) => JSON.parse((await run("bash", ["-c", line])).stdout)),
    );
    expect(answers[0].data).toHaveLength(3);
    expect(answers[1].data).toMatchObject({ name: "First Customer", state_code: "29" });
    expect(answers[2].data).toMatchObject({ status: "draft", total_amount: 354 });

    const locations = await fetch(`${credentials.base_url}/schools/demo-driving/locations`, {
      headers: {
        "X-Client-Id": credentials.publishable_key.client_id,
        Origin: credentials.publishable_key.origin,
      },
    });
    expect(await locations.json()).toMatchObject({ success: true, locations: [{ type: "office" }, {}, {}] });
    expect((await fetch(credentials.sandbox_url)).status).toBe(200);

    await endsAndFreesPorts(child, "SIGTERM");
  });

  test("keeps its data between starts; a killed parent takes the whole tree with it", async () => {
    const before = await readFile(join(dataDir, "credentials.json"), "utf8");
    const { child } = await start();
    expect(await readFile(join(dataDir, "credentials.json"), "utf8")).toBe(before);
    const { secret_key: key, base_url: base } = JSON.parse(before);
    const search = await fetch(`${base}/customers/demo-traders?q=First%20Customer`, {
      headers: { "X-Client-Id": key.client_id, "X-Client-Secret": key.client_secret },
    });
    expect(await search.json()).toMatchObject({ data: [{ name: "First Customer" }] });
    await endsAndFreesPorts(child, "SIGKILL");
  });

  test("a taken port is a clear error, and nothing is left running", async () => {
    const taken = createServer().listen(sandboxPort, "127.0.0.1");
    const child = launch();
    const [code, errors] = await Promise.all([exitCode(child), text(child.stderr)]);
    taken.close();
    expect(code).toBe(1);
    expect(errors.trim()).toBe(`Port ${sandboxPort} is taken: set SANDBOX_PORT to another one`);
    expect(await listens(port)).toBe(false);
  });
});

function launch(): ChildProcess {
  const env = { ...process.env, PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: dataDir };
  return spawn(process.execPath, [join(ROOT, "src/sandbox/start.ts")], { cwd: "/", env });
}

async function start(): Promise<{ child: ChildProcess; output: string }> {
  const child = launch();
  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Ctrl-C ends it")) resolve();
    });
    void text(child.stderr).then((errors) => reject(new Error(`start ended: ${errors}`)));
  });
  await ready;
  return { child, output };
}

async function endsAndFreesPorts(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  expect(await listens(port)).toBe(true);
  child.kill(signal);
  const deadline = Date.now() + FREED_MS;
  while (((await listens(port)) || (await listens(sandboxPort))) && Date.now() < deadline) await pause(100);
  expect([await listens(port), await listens(sandboxPort)]).toEqual([false, false]);
}

async function listens(candidate: number): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(candidate, "127.0.0.1", resolve);
    });
    return false;
  } catch {
    return true;
  } finally {
    server.close();
  }
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let whole = "";
  for await (const chunk of stream ?? []) whole += String(chunk);
  return whole;
}

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
