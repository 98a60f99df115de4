// `npm start`: the whole system as one process tree. Whatever ends this process ends the others too.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { type Demo, makeDemo, migrateAll } from "./demo.ts";
import { type LibsqlServer, startLibsqlServer } from "./libsql/server.ts";
import { requireFreePort } from "./ports.ts";
import { startSandboxServer } from "./providers.ts";
import { keptSecrets, type Secrets } from "./secrets-file.ts";
import { welcome, writeCredentials } from "./welcome.ts";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

const ROOT = join(import.meta.dirname, "../..");
const MARK = "company-operations-data";

try {
  await start(readConfiguration(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function start(configuration: Configuration): Promise<void> {
  await requireFreePort(configuration.port, "PORT");
  await requireFreePort(configuration.sandboxPort, "SANDBOX_PORT");
  openDataDir(configuration);
  const secrets = await keptSecrets(configuration.dataDir);
  const [libsql] = await Promise.all([startDatabases(configuration, secrets), buildDocuments()]);
  const worker = await startWorkerProcess(workerOptions(configuration, secrets, libsql));
  await startSandboxServer(configuration);
  endTogether(worker, libsql);

  const host = { url: `http://127.0.0.1:${configuration.port}`, platformToken: secrets.platformToken };
  await migrateAll(host);
  const demo = await keptDemo(configuration.dataDir, () =>
    makeDemo(host, `http://localhost:${configuration.sandboxPort}`),
  );
  writeCredentials(configuration, secrets.platformToken, demo);
  console.log(welcome(configuration, demo, (performance.now() / 1_000).toFixed(1)));
}

/** Only a folder that an earlier start marked as its own is ever removed. */
function openDataDir({ dataDir, fresh }: Configuration): void {
  const mark = join(dataDir, MARK);
  if (fresh && existsSync(dataDir)) {
    if (!existsSync(mark))
      throw new Error(`${dataDir} was not made by npm start, so --fresh leaves it alone`);
    rmSync(dataDir, { recursive: true });
  }
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(mark, "");
}

async function startDatabases({ dataDir }: Configuration, secrets: Secrets): Promise<LibsqlServer> {
  const { libsqlPort: port, libsqlToken: token } = secrets;
  await requireFreePort(port, "DATA_DIR (its databases are at that port)");
  const libsql = await startLibsqlServer({ dataDir: join(dataDir, "databases"), token, port });
  const created = await fetch(`${libsql.adminUrl}/v1/namespaces/control/create`, {
    method: "POST",
    body: "{}",
  });
  await created.body?.cancel();
  return libsql;
}

async function buildDocuments(): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, "src/build.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error("The API document could not be built");
}

function workerOptions(configuration: Configuration, secrets: Secrets, libsql: LibsqlServer) {
  const { dataDir, port, verbose } = configuration;
  const variables = {
    CONTROL_DATABASE_URL: `${libsql.url}/dev/control/`,
    CONTROL_DATABASE_TOKEN: secrets.libsqlToken,
    SQLD_ADMIN_URL: libsql.adminUrl,
    SQLD_DATABASE_URL: `${libsql.url}/dev/{namespace}/`,
    SQLD_DATABASE_TOKEN: secrets.libsqlToken,
    MASTER_KEY: secrets.masterKey,
    PLATFORM_TOKEN: secrets.platformToken,
    SANDBOX: "1",
  };
  const variablesFile = join(dataDir, "worker.env");
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(variablesFile, lines.join(""), { mode: 0o600 });
  return {
    port,
    stateDir: join(dataDir, "worker"),
    variablesFile,
    logFile: join(dataDir, "worker.log"),
    verbose,
  };
}

/** The demo's keys are shown once, so what its making gave is kept; a making that died midway asks for a fresh start. */
async function keptDemo(dataDir: string, make: () => Promise<Demo>): Promise<Demo> {
  const file = join(dataDir, "demo.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  try {
    const demo = await make();
    writeFileSync(file, JSON.stringify(demo), { mode: 0o600 });
    return demo;
  } catch (error) {
    throw new Error(`The demo could not be made; try npm start -- --fresh. ${error}`);
  }
}

function endTogether(worker: WorkerProcess, libsql: LibsqlServer): void {
  const end = (code: number) => {
    worker.stop();
    void libsql.stop().finally(() => process.exit(code));
  };
  process.once("SIGINT", () => end(0));
  process.once("SIGTERM", () => end(0));
  void worker.ended.then((code) => {
    console.error(`The Worker ended with ${code}; see worker.log`);
    end(1);
  });
}
