import { styleText } from "node:util";

const TICK_MS = 5_000;

/** Prints how far a start is: a line when a step is done, with its time, and one every few seconds before. */
export async function step<Result>(
  name: string,
  work: () => Promise<Result>,
  say: (line: string) => void = console.log,
  tickMs = TICK_MS,
): Promise<Result> {
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1);
  const timer = setInterval(() => say(`  ${dim("...")} ${name} (${seconds()} s so far)`), tickMs);
  try {
    const result = await work();
    say(`  ${dim("done")} ${name} ${dim(`${seconds()} s`)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Text of less weight. */
export function dim(text: string): string {
  return styleText("dim", text);
}
