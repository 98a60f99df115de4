import type { ChildProcess } from "node:child_process";

/** Ends what is left of a keeper's process group, also when the keeper itself was killed. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}
