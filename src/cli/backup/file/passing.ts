import { rmSync } from "node:fs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Removes what is at these paths when the work has ended, also where a signal ends it. */
export async function passing<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const remove = () => {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  };
  const end = (signal: NodeJS.Signals) => {
    remove();
    leave();
    // No listener takes the signal now, so it ends the process, and its sender sees that.
    process.kill(process.pid, signal);
  };
  const leave = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work();
  } finally {
    leave();
    remove();
  }
}
