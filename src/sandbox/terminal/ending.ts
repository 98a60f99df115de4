import { readFileSync } from "node:fs";

const LOOK_MS = 500;
const SHELLS = new Set(["sh", "dash", "bash"]);

/** Resolves when this process is to end: at Ctrl-C, at SIGTERM, and when the npm that started it is gone. */
export function untilAsked(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
    // Signals reach npm's shell, which dies of them and passes nothing on.
    if (process.env.npm_lifecycle_event === undefined) return;
    const starters = [process.ppid, ...parentOfShell(process.ppid)];
    const look = () => {
      if (process.ppid !== starters[0] || !starters.every(isAlive)) resolve();
    };
    setInterval(look, LOOK_MS).unref();
  });
}

/** On Linux npm's shell waits between npm and this process; elsewhere it makes way for it. */
function parentOfShell(pid: number): number[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", parent] = /\((.*)\) \S (\d+)/.exec(status) ?? [];
    return SHELLS.has(name) ? [Number(parent)] : [];
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
