import { rmSync } from "node:fs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Of all work under way: several may run side by side. */
const passingNow = new Set<string>();

/** Removes what is at these paths when the work has ended, also where a signal ends it. */
export async function passing<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (passingNow.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  for (const path of paths) passingNow.add(path);
  try {
    return await work();
  } finally {
    remove(paths);
    for (const path of paths) passingNow.delete(path);
    if (passingNow.size === 0) leave();
  }
}

function end(signal: NodeJS.Signals): void {
  remove(passingNow);
  leave();
  // No listener takes the signal now, so it ends the process, and its sender sees that.
  process.kill(process.pid, signal);
}

function leave(): void {
  for (const signal of SIGNALS) process.off(signal, end);
}

function remove(paths: Iterable<string>): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}
