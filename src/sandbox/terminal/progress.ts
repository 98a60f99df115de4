import { styleText } from "node:util";

const TICK_MS = 5_000;
const REDRAW_MS = 250;
const CLEAR_LINE = "\r\x1b[K";

type Screen = { isTTY?: boolean; columns?: number; write: (text: string) => unknown };

/** When each step began that has not ended yet. */
const running = new Map<string, number>();

/**
 * Says how far a start is: on a terminal by one line, which names what is being done and rewrites itself; elsewhere by a
 * line when a step is done, with its time, and one every few seconds before.
 */
export async function step<Result>(
  name: string,
  work: () => Promise<Result>,
  screen: Screen = process.stdout,
  tickMs: number = screen.isTTY ? REDRAW_MS : TICK_MS,
): Promise<Result> {
  const began = performance.now();
  running.set(name, began);
  const say = (line: string) => (screen.isTTY ? draw(screen) : screen.write(`${line}\n`));
  const timer = setInterval(() => say(`  ${dim("...")} ${name} (${secondsSince(began)} s so far)`), tickMs);
  try {
    const result = await work();
    running.delete(name);
    say(`  ${dim("done")} ${name} ${dim(`${secondsSince(began)} s`)}`);
    return result;
  } finally {
    running.delete(name);
    clearInterval(timer);
  }
}

/** Takes the line away for good: what is printed next has a line of its own. */
export function endProgress(screen: Screen = process.stdout): void {
  running.clear();
  if (screen.isTTY) draw(screen);
}

/** Says what is wrong while a start goes on. */
export function warn(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(CLEAR_LINE);
  console.error(text);
}

function draw(screen: Screen): void {
  const [first] = running.values();
  const line = first === undefined ? "" : `  ${[...running.keys()].join(", ")} ... ${secondsSince(first)} s`;
  screen.write(CLEAR_LINE + line.slice(0, (screen.columns ?? 80) - 1));
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1_000).toFixed(1);
}

/** Text of less weight. */
export function dim(text: string): string {
  return styleText("dim", text);
}
