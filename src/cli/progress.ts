import { log, progress } from "@clack/prompts";
import { printable } from "./failure.ts";

/** How a run over many companies is shown while it goes on. */
export type Progress = {
  /** A line besides the steps. */
  say(line: string): void;
  begin(steps: number, line: string): void;
  advance(line: string): void;
  end(line: string): void;
};

/** A bar on a terminal, elsewhere a line for each step; nothing where JSON alone is asked for. */
export function progressOf(json: boolean): Progress {
  if (json) return { say() {}, begin() {}, advance() {}, end() {} };
  return process.stdout.isTTY ? bar() : lines();
}

function bar(): Progress {
  let shown = progress({ max: 1 });
  return {
    say: (line) => log.step(printable(line)),
    begin(steps, line) {
      shown = progress({ max: Math.max(steps, 1) });
      shown.start(line);
    },
    advance: (line) => shown.advance(1, printable(line)),
    end: (line) => shown.stop(line),
  };
}

function lines(): Progress {
  let [step, all] = [0, 0];
  const say = (line: string) => void process.stdout.write(`${printable(line)}\n`);
  return {
    say,
    begin(steps, line) {
      [step, all] = [0, steps];
      say(line);
    },
    advance(line) {
      step += 1;
      say(`${step}/${all} ${line}`);
    },
    end: say,
  };
}
