import { execFile, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Key } from "../../../src/sandbox/api.ts";
import { findFreePort } from "../../../src/sandbox/database-server/free-port.ts";
import { signed } from "../started.ts";
import { differences, type Guide, guidePorts, matches, type Step } from "./guide.ts";
import { type Call, startRecorder } from "./recorder.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PACKAGES = ["hono", "wrangler", "@types", ".bin"];

/** A sandbox that runs. */
type Place = { port: number; sandboxPort: number; dataDir: string };

/** Makes the package of the client, which a reader installs. */
export function makeClient(): void {
  execFileSync(process.execPath, [join(ROOT, "src/build/client.ts")], { cwd: ROOT });
}

/** A folder as a reader has made it, with the client installed. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "company-operations-guide-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "guide", type: "module" }));
  await mkdir(join(folder, "node_modules"));
  const install = (name: string, source: string) =>
    symlink(join(ROOT, source), join(folder, "node_modules", name));
  await install("company-operations-client", "build/client");
  for (const name of PACKAGES) await install(name, `node_modules/${name}`);
  return folder;
}

/** Does what a guide says, first in a shell and then in TypeScript, and gives all that is not as it says. */
export async function follow(guide: Guide, folder: string, place: Place): Promise<string[]> {
  using recorder = await startRecorder(place.port);
  const { fill, fillProgram, fillAnswer } = await filler(guide, recorder.port, place);
  const environment = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
  };
  using shell = new Shell(folder, environment);
  const operationOf = await operationNames(place);
  const faults: string[] = [];
  const say = ({ line }: Step, what: string) => faults.push(`${guide.name}.md:${line}: ${what}`);

  // What the shell has started, the program uses too.
  const last = guide.steps.at(-1);
  const ending = last?.ts === undefined && last?.sh?.startsWith("kill ") ? last : undefined;
  const answers: { step: Step; operation: string; nth: number }[] = [];
  const inBoth: (string | undefined)[] = [];
  for (const step of guide.steps) {
    for (const { name, text } of guide.files.get(step) ?? []) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), fill(text));
    }
    if (step.sh === undefined || step === ending) continue;
    const from = recorder.calls.length;
    const printed = await shell.type(fill(step.sh));
    const made = recorder.calls.slice(from);
    if (step.ts !== undefined) inBoth.push(...made.filter(({ isCurl }) => isCurl).map(operationOf));
    const isRefusal = step.answer !== undefined && "code" in JSON.parse(step.answer);
    const refused = made.filter(({ status }) => status >= 400);
    if (!isRefusal || refused.length !== 1)
      for (const call of refused) say(step, `${told(call)}: ${JSON.stringify(call.body)}`);
    if (step.output !== undefined && !matches(`...${step.output}...`, printed))
      say(step, `printed ${printed}`);
    if (step.answer === undefined) continue;
    const last = made.at(-1);
    const came = last?.isCurl === true ? last.body : JSON.parse(printed);
    for (const what of differences(JSON.parse(fillAnswer(step.answer)), came)) say(step, what);
    const operation = last && operationOf(last);
    if (operation === undefined || step.ts === undefined) continue;
    answers.push({ step, operation, nth: inBoth.filter((each) => each === operation).length });
  }

  const from = recorder.calls.length;
  const program = guide.steps.map(({ ts = "" }) => fillProgram(ts)).join("\n");
  await writeFile(join(folder, "guide.ts"), program);
  await promisify(execFile)(process.execPath, ["guide.ts"], { cwd: folder, env: environment }).catch(
    ({ stderr }) => faults.push(`${guide.name}.md in TypeScript: ${stderr}`),
  );
  await shell.type(`${fill(ending?.sh ?? "")}\nwait`);
  const made = recorder.calls.slice(from);
  for (const { step, operation, nth } of answers) {
    const calls = made.filter((each) => operationOf(each) === operation);
    // What is asked until it has come is asked more often by one of the two.
    const isLast = nth === inBoth.filter((each) => each === operation).length;
    const call = isLast ? calls.at(-1) : calls[nth - 1];
    if (step.answer === undefined) continue;
    for (const what of differences(JSON.parse(fillAnswer(step.answer)), call?.body))
      say(step, `in TypeScript ${what}`);
  }
  const inTypeScript = new Set(recorder.calls.filter(({ isCurl }) => !isCurl).map(operationOf));
  for (const name of new Set(recorder.calls.filter(({ isCurl }) => isCurl).map(operationOf)))
    if (name !== undefined && !inTypeScript.has(name))
      faults.push(`${guide.name}.md: ${name} has no form in TypeScript`);
  return faults;
}

const told = ({ method, path, status }: Call) => `${method} ${path} is answered ${status}`;

/** Writes the addresses and keys of this start where a guide has those that `npm start` prints. */
async function filler(guide: Guide, port: number, place: Place) {
  const credentials = await readFile(join(place.dataDir, "credentials.json"), "utf8");
  const { admin_keys } = JSON.parse(credentials);
  const company = /\bdemo-[a-z-]+\b/.exec(guide.text)?.[0] ?? "demo-traders";
  const ports = await Promise.all(
    guidePorts(guide).map(async (own) => [own, String(await findFreePort())] as const),
  );
  const fill = (values: readonly (readonly [string | RegExp, string])[]) => (text: string) =>
    values.reduce((filled, [what, value]) => filled.replaceAll(what, value), text);
  const addresses = [
    ["http://localhost:8787", `http://localhost:${port}`],
    ["http://localhost:8788", `http://localhost:${place.sandboxPort}`],
    ["http://127.0.0.1:8788", `http://127.0.0.1:${place.sandboxPort}`],
    ...ports.map(([own, free]) => [new RegExp(`\\b${own}\\b`, "g"), free] as const),
  ] as const;
  const other = await anotherKey(
    `http://localhost:${place.port}/v1/settings/${company}/keys`,
    admin_keys[company],
  );
  const keysOf = ({ client_id, client_secret }: Key) =>
    [
      ["ck_...", client_id],
      ["sk_...", client_secret],
    ] as const;
  return {
    fill: fill([...addresses, ...keysOf(admin_keys[company])]),
    fillProgram: fill([...addresses, ...keysOf(other)]),
    fillAnswer: fill(addresses),
  };
}

/** A key for the program, which then may use the shell's idempotency keys: a reader follows one of the two. */
async function anotherKey(address: string, admin: Key): Promise<Key> {
  const headers = signed(admin);
  const { data } = JSON.parse(await (await fetch(`${address}?limit=100`, { headers })).text());
  const { scopes } = data.find(({ client_id }: Key) => client_id === admin.client_id);
  const body = JSON.stringify({ name: "The guide in TypeScript", type: "secret", scopes });
  const made = await fetch(address, { method: "POST", headers, body });
  return JSON.parse(await made.text()).data;
}

/** What the API document calls a call's address; a page or a script is none of its operations. */
async function operationNames({ dataDir }: Place): Promise<(call: Call) => string | undefined> {
  const document = JSON.parse(await readFile(join(dataDir, "assets/openapi.json"), "utf8"));
  const paths = Object.keys(document.paths)
    .sort((one, other) => one.split("{").length - other.split("{").length)
    .map((path) => ({ path, pattern: new RegExp(`^(?:/v1)?${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));
  return ({ method, path }) => {
    const found = paths.find(({ pattern }) => pattern.test(path));
    return found && `${method} ${found.path}`;
  };
}

/** Type-checks the programs and files of guides as an integrator's project would, and gives what is wrong. */
export async function typeCheck(folder: string): Promise<string> {
  const options = {
    compilerOptions: {
      ...{ target: "esnext", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true },
      ...{ lib: ["esnext", "dom", "dom.iterable"], types: ["node"], allowImportingTsExtensions: true },
      erasableSyntaxOnly: true,
    },
    include: ["**/*.ts"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "-p", folder], { cwd: folder });
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

/** A shell in a folder, to which one block after the other is typed: it keeps its variables and what it has started. */
class Shell {
  readonly #child;
  #output = "";

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    // A group of its own, so that what a guide starts ends with it.
    const options = { cwd: folder, env: environment, detached: true } as const;
    this.#child = spawn("bash", ["--noprofile", "--norc"], options);
    const keep = (chunk: Buffer) => {
      this.#output += String(chunk);
    };
    this.#child.stdout.on("data", keep);
    this.#child.stderr.on("data", keep);
  }

  /** Types a block, and gives what it prints until it has ended; throws where its last command fails. */
  async type(block: string): Promise<string> {
    const mark = `end-${randomUUID()}`;
    const from = this.#output.length;
    this.#child.stdin.write(`${block}\nprintf '\\n${mark} %s\\n' $?\n`);
    const end = new RegExp(`\\n${mark} (\\d+)\\n`);
    const deadline = Date.now() + 120_000;
    for (;;) {
      const printed = this.#output.slice(from);
      const ended = end.exec(printed);
      const text = printed.slice(0, ended?.index);
      if (ended?.[1] === "0") return text;
      if (ended !== null || Date.now() > deadline) throw new Error(`Failed:\n${block}\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  [Symbol.dispose](): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
  }
}
