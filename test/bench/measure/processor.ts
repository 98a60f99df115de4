import { readFile } from "node:fs/promises";

const TICKS_PER_SECOND = 100;

/** The processor time that a process has taken so far, in milliseconds; NaN where the system does not report it. */
export async function processorMs(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name, in brackets, may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
}
