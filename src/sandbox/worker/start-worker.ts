import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { withWideBatch } from "../../self-host/queues.ts";
import { StartError, untilAnswers } from "../configuration.ts";
import { type DataFolder, goOn } from "../data-folder/data-folder.ts";
import { killGroup } from "../kill-group.ts";
import { warn } from "../terminal/progress.ts";
import { openLog } from "./log.ts";

const ROOT = join(import.meta.dirname, "../../..");
const KEEPER = fileURLToPath(import.meta.resolve("../keeper.ts"));
const DEV_WORKER = fileURLToPath(import.meta.resolve("./dev-worker.ts"));
const START_MS = MINUTE_MS;
const STOP_MS = 2_000;
// Wrangler then starts the runtime again, but its front door may stay shut.
const CRASH = "The Workers runtime crashed";

const ENVIRONMENT = {
  CI: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  // Pages and addresses on the API's port that list and delete files without a credential.
  X_LOCAL_EXPLORER: "false",
  X_LOCAL_OBSERVABILITY: "false",
};

type Options = {
  folder: DataFolder;
  port: number;
  assets: string;
  bundle: string;
  variables: Record<string, string>;
  verbose: boolean;
};

/** The Worker under wrangler, in a process group of its own. */
export type Worker = AsyncDisposable & {
  /** Resolves when the Worker answers. */
  ready: Promise<void>;
  /** Rejects when the Worker ends by itself. */
  ended: Promise<never>;
};

/** Starts the Worker; what it logs goes to `worker.log`, its errors to the terminal. */
export function startWorker({ folder, port, assets, bundle, variables, verbose }: Options): Worker {
  const lines = Object.entries(variables).map(([name, value]) => `${name}="${value}"\n`);
  folder.write("worker.env", lines.join(""));
  const declared = withWideBatch(readFileSync(join(ROOT, "wrangler.toml"), "utf8"));
  // dev-worker.ts serves them.
  folder.write("wrangler.toml", declared.replace(/^\[assets\]\n(?:.+\n)*/m, ""));
  const parameters = [
    ...[folder.file("wrangler.toml"), join(bundle, "worker.js"), assets, String(port)],
    ...[folder.file("worker"), folder.file("worker.env")],
  ];
  const keeper = spawn(
    process.execPath,
    [KEEPER, process.execPath, ...process.execArgv, DEV_WORKER, ...parameters],
    {
      cwd: ROOT,
      detached: true,
      stdio: "pipe",
      env: { ...process.env, ...ENVIRONMENT },
    },
  );
  // The pipe of a keeper that was killed breaks; that it ended is noticed below.
  keeper.stdin.on("error", () => undefined);
  const exited = once(keeper, "exit");

  const log = openLog(folder.file("worker.log"));
  const early: string[] = [];
  let answers = false;
  const crashed = new Promise<void>((resolve) => {
    createInterface({ input: keeper.stdout }).on("line", (line) => {
      if (line.startsWith("{")) log(line);
      else if (verbose) console.log(line);
      if (line.includes(CRASH)) resolve();
    });
  });
  createInterface({ input: keeper.stderr }).on("line", (line) => {
    if (answers || verbose) warn(process.stderr.isTTY ? line : stripVTControlCharacters(line));
    else early.push(line);
  });

  const ended = Promise.race([exited, crashed]).then(() => {
    const told = answers ? [] : early;
    throw new StartError(
      [`The Worker ended by itself: ${folder.file("worker.log")} may say why. ${goOn(folder)}`, ...told].join(
        "\n",
      ),
    );
  });
  const ready = untilAnswers(port, "The Worker", START_MS).then(() => {
    answers = true;
  });
  return {
    ended,
    ready: Promise.race([ready, ended]),
    async [Symbol.asyncDispose]() {
      keeper.stdin.end();
      await Promise.race([exited, sleep(STOP_MS)]);
      killGroup(keeper);
    },
  };
}
