import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { parsed } from "#shared/json.ts";
import { StartError } from "../configuration.ts";

type Holder = { pid: number; began: string; url: string };

/**
 * Makes this process the only one in a folder, by a file in it. Throws a StartError where another process that still runs
 * has it; one that was killed has left only its file, which is taken over.
 */
export function lockFolder(folder: string, file: string, url: string): void {
  const holder: Holder = { pid: process.pid, began: beginningOf(process.pid) ?? "", url };
  while (!make(file, holder)) {
    const stale = read(file);
    if (stale === undefined) continue;
    if (isRunning(stale.holder)) throw taken(folder, stale.holder);
    takeAway(folder, file, stale.text);
  }
  process.on("exit", () => {
    if (read(file)?.holder.pid === process.pid) rmSync(file, { force: true });
  });
}

function make(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes a file that no process holds; puts it back when another process took it in between. */
function takeAway(folder: string, file: string, stale: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const found = read(aside);
  if (found !== undefined && found.text !== stale) {
    renameSync(aside, file);
    throw taken(folder, found.holder);
  }
  rmSync(aside, { force: true });
}

function read(file: string): { text: string; holder: Holder } | undefined {
  try {
    const text = readFileSync(file, "utf8");
    // A machine that lost its power may leave an empty file.
    return { text, holder: { pid: 0, began: "", url: "", ...Object(parsed(text)) } };
  } catch {
    return undefined;
  }
}

/** Whether it is that very process: its number may have gone to another one since. */
function isRunning({ pid, began }: Holder): boolean {
  return began !== "" && beginningOf(pid) === began;
}

/** When a process began, in words that no later one of its number has; undefined where there is none. */
function beginningOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid < 1) return undefined;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return fields[0] === "Z" ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return beginningByPs(pid);
  }
}

function beginningByPs(pid: number): string | undefined {
  if (process.platform === "linux") return undefined;
  try {
    const told = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    return told === "" ? undefined : told;
  } catch {
    return undefined;
  }
}

function taken(folder: string, { pid, url }: Holder): StartError {
  return new StartError(
    `${folder} is in use: process ${pid} runs on it at ${url}. End that one first (Ctrl-C there), or set DATA_DIR, PORT and SANDBOX_PORT for a second one`,
  );
}
