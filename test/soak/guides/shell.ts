import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

/** A shell in a folder, to which one block after the other is typed: it keeps its variables and what it has started. */
export class Shell {
  readonly #child;
  #output = "";

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    // A group of its own, so that what a guide starts ends with it.
    const options = { cwd: folder, env: environment, detached: true } as const;
    this.#child = spawn("bash", ["--noprofile", "--norc"], options);
    const keep = (chunk: Buffer) => {
      this.#output += String(chunk);
    };
    this.#child.stdout.on("data", keep);
    this.#child.stderr.on("data", keep);
  }

  /** All that was printed up to now. */
  get output(): string {
    return this.#output;
  }

  /** Types a block, and gives what it prints until it has ended; throws where its last command fails. */
  async type(block: string): Promise<string> {
    const mark = `end-${randomUUID()}`;
    const from = this.#output.length;
    this.#child.stdin.write(`${block}\nprintf '\\n${mark} %s\\n' $?\n`);
    const end = new RegExp(`\\n${mark} (\\d+)\\n`);
    const deadline = Date.now() + 120_000;
    for (;;) {
      const printed = this.#output.slice(from);
      const ended = end.exec(printed);
      const text = printed.slice(0, ended?.index);
      if (ended?.[1] === "0") return text;
      if (ended !== null || Date.now() > deadline) throw new Error(`Failed:\n${block}\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  [Symbol.dispose](): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
  }
}
