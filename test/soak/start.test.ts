import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "#contract/scopes.ts";
import type { Key } from "../../src/sandbox/api.ts";
import { findFreePort } from "../../src/sandbox/free-port.ts";

const ROOT = join(import.meta.dirname, "../..");
const SCRIPT = join(ROOT, "src/sandbox/start.ts");
const FREED_MS = 3_000;
const shell = promisify(execFile);

let dataDir: string;
let port: number;
let sandboxPort: number;
let running: ChildProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "company-operations-start-"));
  port = await findFreePort();
  sandboxPort = await findFreePort();
});

afterEach(() => {
  running?.kill("SIGKILL");
});

afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

describe("npm start", { timeout: 120_000 }, () => {
  it("brings up a demo that the printed lines work on, and ends with Ctrl-C", async () => {
    const { child, output } = await start();
    const credentials = await readCredentials();
    const administrator = {
      client_id: expect.stringMatching(/^ck_/),
      client_secret: expect.stringMatching(/^sk_/),
    };
    expect(credentials).toEqual({
      base_url: `http://localhost:${port}/v1`,
      alt_base_url: `http://localhost:${port}/api/v1`,
      sandbox_url: `http://localhost:${sandboxPort}`,
      platform_token: expect.stringMatching(/^[\w-]{43}$/),
      company: "demo-traders",
      secret_key: administrator,
      admin_keys: { "demo-traders": administrator, "demo-driving": administrator },
      publishable_key: {
        client_id: expect.stringMatching(/^pk_/),
        origin: `http://localhost:${sandboxPort}`,
        company: "demo-driving",
      },
    });

    for (const [slug, key] of Object.entries<Key>(credentials.admin_keys)) {
      expect(output).toContain(
        `${slug}\n  X-Client-Id      ${key.client_id}\n  X-Client-Secret  ${key.client_secret}`,
      );
      const made = await fetch(`${credentials.base_url}/settings/${slug}/keys`, {
        method: "POST",
        headers: {
          "X-Client-Id": key.client_id,
          "X-Client-Secret": key.client_secret,
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ name: "Another", type: "secret", scopes: SCOPES }),
      });
      expect(made.status).toBe(201);
    }

    const [list = "", customer = "", invoice = ""] = printedCalls(output);
    expect((await paste(list)).data).toHaveLength(12);
    const meera = { id: "13", name: "Meera Traders", state_code: "29" };
    expect((await paste(customer)).data).toMatchObject(meera);
    const issued = { customer: { name: "Kaveri Stationers" }, total_amount: 2124 };
    expect((await paste(invoice)).data).toMatchObject(issued);

    const { client_id, origin, company } = credentials.publishable_key;
    const locations = await fetch(`${credentials.alt_base_url}/schools/${company}/locations`, {
      headers: { "X-Client-Id": client_id, Origin: origin },
    });
    const pickup = { name: "Burwood station pickup", postcode: "2134" };
    // The limiter's object is bound, as all of wrangler.toml is.
    expect(locations.headers.get("X-RateLimit-Limit")).toBe("120");
    expect(await locations.json()).toMatchObject({ success: true, locations: [pickup, {}, {}] });
    for (const told of ["database server", "Worker built", "Worker answers", "demo companies, made once"])
      expect(output).toMatch(new RegExp(`done.* ${told} .*\\d\\.\\d s`));
    expect((await fetch(`http://localhost:${port}/docs`)).status).toBe(200);
    expect((await fetch(`http://localhost:${port}/docs/`)).status).toBe(200);
    const filled = await fetch(`http://localhost:${port}/docs/demo.json`);
    expect(filled.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(await filled.json()).toEqual({
      company: "demo-traders",
      ...credentials.secret_key,
      platform_token: credentials.platform_token,
    });
    const reference = await (await fetch(`http://localhost:${port}/docs/reference.js`)).text();
    expect(reference).toContain("company.example = demo.company");
    expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('href="/docs"');
    expect(await (await fetch(credentials.sandbox_url)).text()).toContain(`http://localhost:${port}/docs`);
    expect(await (await fetch(`${credentials.sandbox_url}/booking`)).text()).toContain(
      `client-id="${client_id}"`,
    );
    const widget = await fetch(`http://localhost:${port}/widget/v1/booking-widget.js`);
    expect(Object.fromEntries(widget.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    expect(await widget.text()).toContain("booking-widget");

    expect(await buy(credentials, "INR")).toEqual({ gateway: "razorpay", invoiced: 200 });
    expect(await buy(credentials, "GBP")).toEqual({ gateway: "stripe", invoiced: 200 });
    expect(await buy(credentials, "USD")).toEqual({ gateway: "paypal", invoiced: 200 });
    const shelf = await fetch(`${credentials.sandbox_url}/shop/api/products`);
    expect(JSON.parse(await shelf.text()).data).toHaveLength(8);

    const { secret_key: key, base_url: base, sandbox_url: sandbox } = credentials;
    const sms = { to: "919845000001", message: "Your order 1042 is ready." };
    const sent = await fetch(`${base}/messaging/demo-traders/sms`, {
      method: "POST",
      headers: {
        "X-Client-Id": key.client_id,
        "X-Client-Secret": key.client_secret,
        "Content-Type": "application/json",
      },
      body: JSON.stringify(sms),
    });
    expect(sent.status).toBe(202);
    // The number is one of those whose messages are delivered by themselves.
    const told = async () => JSON.parse(await (await fetch(`${sandbox}/messages?to=${sms.to}`)).text()).data;
    await expect
      .poll(told, { timeout: 40_000 })
      .toMatchObject([{ text: sms.message, events: [{ name: "delivered", answer: 200 }] }]);

    const others = { PORT: String(await findFreePort()), SANDBOX_PORT: String(await findFreePort()) };
    for (const flags of [[], ["--fresh"]])
      expect(await refusal(others, flags)).toBe(
        `${dataDir} is in use: process ${child.pid} runs on it at http://localhost:${port}. End that one first (Ctrl-C there), or set DATA_DIR, PORT and SANDBOX_PORT for a second one\n`,
      );
    expect(await readCredentials()).toEqual(credentials);
    expect((await paste(list)).data).toHaveLength(14);
    expect(await refusal({ SANDBOX_PORT: "1" })).toBe(`Port ${port} is taken: set PORT to another\n`);
    child.kill("SIGINT");
    await expectFreePorts();
    expect(await exitCode(child)).toBe(0);
  });

  it("opens no door that acts without a credential, nor one for pages of other addresses", async () => {
    const { child } = await start();
    const group = (await childrenOf(child))[1];
    const ports = await listeningPorts(Number(group));
    expect(ports).toContain(port);
    for (const door of ports) {
      for (const path of ["/json", "/json/list", "/json/version"]) {
        const answer = await ask(door, path, "GET", { Host: `localhost:${door}` });
        expect(answer.text).not.toContain("webSocketDebuggerUrl");
        expect(answer.text).not.toContain("workerd");
      }
    }
    for (const path of [
      "local/explorer/api/r2/buckets",
      "explorer/api/r2/buckets",
      "explorer",
      "local/explorer",
    ])
      expect(await ask(port, `/cdn-cgi/${path}`)).toMatchObject({ status: 404 });
    // The minute's cron still runs.
    expect(await ask(port, "/cdn-cgi/local/scheduled")).toMatchObject({ status: 200 });

    const own = { Host: `127.0.0.1:${sandboxPort}` };
    expect(await ask(sandboxPort, "/messages", "GET", own)).toMatchObject({ status: 200 });
    for (const Host of ["shop.example.com", `shop.example.com:${sandboxPort}`, "localhost", "localhost:1"])
      expect(await ask(sandboxPort, "/messages", "GET", { Host })).toMatchObject({ status: 403 });
    const pay = (Origin: string) => ask(sandboxPort, "/pay/razorpay/none", "POST", { ...own, Origin });
    for (const origin of ["https://shop.example.com", "null", `https://localhost:${sandboxPort}`])
      expect(await pay(origin)).toMatchObject({ status: 403 });
    for (const origin of [`http://localhost:${sandboxPort}`, `http://127.0.0.1:${port}`])
      expect((await pay(origin)).status).not.toBe(403);
    child.kill("SIGTERM");
    await expectFreePorts();
  });

  it("keeps its data, and ends when the process is killed outright", async () => {
    const before = await readCredentials();
    // Clients do not wait until everything is up.
    const impatient = setInterval(() => askForCustomers(before), 50);
    const { child, output } = await start().finally(() => clearInterval(impatient));
    expect(await readCredentials()).toEqual(before);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const [list = ""] = printedCalls(output);
    expect((await paste(list)).data.slice(0, 2)).toMatchObject([{ name: "Asha" }, { name: "Meera Traders" }]);
    child.kill("SIGKILL");
    await expectFreePorts();
  });

  it("starts on a folder whose first keys were made weaker, and says what is missing and how to get it back", async () => {
    const first = await start();
    const { admin_keys, base_url } = await readCredentials();
    for (const [slug, key] of Object.entries<Key>(admin_keys)) {
      const narrowed = await fetch(`${base_url}/settings/${slug}/keys/${key.client_id}`, {
        method: "PATCH",
        headers: {
          "X-Client-Id": key.client_id,
          "X-Client-Secret": key.client_secret,
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ scopes: ["customers:read"] }),
      });
      expect(narrowed.status).toBe(200);
    }
    first.child.kill("SIGINT");
    await expectFreePorts();
    await exitCode(first.child);
    const formerPort = sandboxPort;
    sandboxPort = await findFreePort();
    const { child } = await start();
    const errors = text(child.stderr);
    child.kill("SIGINT");
    await expectFreePorts();
    sandboxPort = formerPort;
    for (const slug of Object.keys(admin_keys)) expect(await errors).toContain(`company key ${slug}`);
    expect(await errors).toContain("--fresh");
  });

  it("begins anew with --fresh, and ends when npm is told to end", async () => {
    const before = await readCredentials();
    const { child } = await start("npm", ["start", "--", "--fresh"]);
    expect((await readCredentials()).secret_key).not.toEqual(before.secret_key);
    child.kill("SIGTERM");
    await expectFreePorts();
  });

  it.each([
    ["database server", "The database server ended by itself: DATA_DIR/sqld/sqld.log says why\n"],
    ["Worker", "The Worker ended by itself.\n"],
  ])("ends with an error when the %s does", async (part, told) => {
    const { child } = await start();
    const [databases, worker] = await childrenOf(child);
    const errors = text(child.stderr);
    process.kill(Number(part === "Worker" ? worker : databases), "SIGKILL");
    await expectFreePorts();
    expect(await exitCode(child)).toBe(1);
    expect(await errors).toBe(told.replace("DATA_DIR", dataDir));
  });

  it("says so when its folder is of a release whose databases were of another kind", async () => {
    const old = await mkdtemp(join(dataDir, "old-"));
    await writeFile(join(old, "sandbox.json"), JSON.stringify({ database_token: "t" }));
    expect(await refusal({ DATA_DIR: old })).toBe(
      `${old} holds data of an earlier release, in databases of another kind: npm start -- --fresh begins anew\n`,
    );
  });

  it("names the port that is taken and its variable, and leaves nothing running", async () => {
    const taken = createServer().listen(sandboxPort, "127.0.0.1");
    const told = await refusal();
    taken.close();
    expect(told).toBe(`Port ${sandboxPort} is taken: set SANDBOX_PORT to another\n`);
    await expectFreePorts();
  });

  it("touches no folder that is not its own, not even with --fresh", async () => {
    const foreign = await mkdtemp(join(dataDir, "foreign-"));
    await writeFile(join(foreign, "letter.txt"), "dear");
    expect(await refusal({ DATA_DIR: foreign }, ["--fresh"])).toContain("holds other files");
    expect(await readFile(join(foreign, "letter.txt"), "utf8")).toBe("dear");
  });
});

/** Checks out, pays as a script does, and opens the invoice. */
async function buy(credentials: Awaited<ReturnType<typeof readCredentials>>, currency: string) {
  const { client_id, client_secret } = credentials.secret_key;
  const headers = {
    "X-Client-Id": client_id,
    "X-Client-Secret": client_secret,
    "Content-Type": "application/json",
  };
  const storefront = `${credentials.base_url}/storefront/${credentials.company}`;
  const body = JSON.stringify({
    items: [{ name: "Gift card", quantity: 1, unit_price: 20 }],
    customer: { name: "Asha", email: "asha@example.com" },
    currency,
    source_website: "shop.example.com",
    return_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/",
  });
  const placed = await json(fetch(`${storefront}/checkout`, { method: "POST", headers, body }));
  const { gateway, order_id, payment_data } = placed;
  const page = `${credentials.sandbox_url}/pay/${gateway}/${payment_data.gateway_order_id}`;
  await json(fetch(page, { method: "POST", headers, body: JSON.stringify({ outcome: "paid" }) }));
  const order = await json(fetch(`${storefront}/order/${order_id}`, { headers }));
  return { gateway, invoiced: (await fetch(order.data.invoice_url)).status };
}

async function json(answer: Promise<Response>) {
  const response = await answer;
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}

function launch(
  command: string,
  parameters: string[],
  variables: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const places = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: dataDir };
  return spawn(command, parameters, { cwd: ROOT, env: { ...process.env, ...places, ...variables } });
}

/** Starts everything and waits until it tells that it is up. */
async function start(command = process.execPath, parameters = [SCRIPT]) {
  const child = launch(command, parameters);
  running = child;
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Ctrl-C ends everything")) resolve();
    });
    child.once("exit", () => reject(new Error(`It ended: ${output}`)));
  });
  return { child, output };
}

/** What a start that must fail tells. */
async function refusal(variables: Record<string, string> = {}, flags: string[] = []): Promise<string> {
  const child = launch(process.execPath, [SCRIPT, ...flags], variables);
  const [told, code] = await Promise.all([text(child.stderr), exitCode(child)]);
  expect(code).toBe(1);
  return told;
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Of the parts that are processes of their own, in the order of their start. */
async function childrenOf({ pid }: ChildProcess): Promise<string[]> {
  return (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
}

/** The ports at which the processes of a group listen. */
async function listeningPorts(group: number): Promise<number[]> {
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
async function ask(door: number, path: string, method = "GET", headers: Record<string, string> = {}) {
  const call = request({ host: "127.0.0.1", port: door, path, method, headers, timeout: 2_000 });
  call.once("timeout", () => call.destroy());
  try {
    const [answer] = await once(call.end(), "response");
    return { status: answer.statusCode as number, text: await text(answer) };
  } catch {
    return { status: 0, text: "" };
  }
}

function askForCustomers({ base_url, secret_key }: Awaited<ReturnType<typeof readCredentials>>): void {
  const { client_id, client_secret } = secret_key;
  const headers = { "X-Client-Id": client_id, "X-Client-Secret": client_secret };
  fetch(`${base_url}/customers/demo-traders`, { headers }).catch(() => undefined);
}

function printedCalls(output: string): string[] {
  return output.split("\n").filter((line) => line.startsWith("curl "));
}

async function paste(line: string) {
  return JSON.parse((await shell("bash", ["-c", line])).stdout);
}

async function readCredentials() {
  return JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
}

async function expectFreePorts(): Promise<void> {
  const deadline = Date.now() + FREED_MS;
  const areFree = async () => (await isFree(port)) && (await isFree(sandboxPort));
  while (!(await areFree()) && Date.now() < deadline) await sleep(50);
  expect(await areFree()).toBe(true);
}

function isFree(candidate: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(candidate, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
