import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

export type Said = { code: number; text: string };

/** A shell that stays: what one command exports, the next has. */
export class OwnShell {
  readonly #child: ChildProcess;
  readonly #mark = randomUUID();
  #text = "";

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn("bash", [], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout?.on("data", (part) => {
      this.#text += part;
    });
    this.#child.stdin?.write("exec 2>&1\n");
  }

  /** Gives what the command printed, and how it ended; a command that reads gets nothing. */
  async run(command: string, limitMs: number): Promise<Said> {
    this.#text = "";
    this.#child.stdin?.write(`{ ${command}\n} < /dev/null; echo "${this.#mark} $?"\n`);
    const end = new RegExp(`${this.#mark} (\\d+)\\n$`);
    for (const until = performance.now() + limitMs; performance.now() < until; ) {
      const [found, code] = end.exec(this.#text) ?? [];
      if (found !== undefined) return { code: Number(code), text: this.#text.slice(0, -found.length) };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${command}\ndid not end within ${limitMs} ms:\n${this.#text}`);
  }

  /** Ends what was started in the background, and the shell. */
  async end(): Promise<void> {
    await this.run("kill $(jobs -p); wait", 60_000).catch(() => undefined);
    this.#child.stdin?.end();
  }
}
