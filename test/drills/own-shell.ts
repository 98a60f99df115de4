import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Said = { code: number; text: string };

/** A shell that stays: what one command exports, the next has. */
export class OwnShell {
  readonly #child: ChildProcess;
  readonly #mark = randomUUID();
  #runs = 0;
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
    this.#runs += 1;
    // Into a file: a server in the background makes a pipe that it shares non-blocking, and curl then ends with 23.
    const file = join(tmpdir(), `${this.#mark}-${this.#runs}`);
    this.#child.stdin?.write(`{ ${command}\n} < /dev/null > "${file}" 2>&1; echo "${this.#mark} $?"\n`);
    try {
      const code = await this.#end(limitMs);
      const text = await readFile(file, "utf8");
      if (code === undefined) throw new Error(`${command}\ndid not end within ${limitMs} ms:\n${text}`);
      return { code, text };
    } finally {
      await rm(file, { force: true });
    }
  }

  /** The exit code of what runs; nothing where it does not end in time. */
  async #end(limitMs: number): Promise<number | undefined> {
    const end = new RegExp(`${this.#mark} (\\d+)\\n$`);
    for (const until = performance.now() + limitMs; performance.now() < until; ) {
      const [, code] = end.exec(this.#text) ?? [];
      if (code !== undefined) return Number(code);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return undefined;
  }

  /** Ends what was started in the background, and the shell. */
  async end(): Promise<void> {
    await this.run("kill $(jobs -p); wait", 60_000).catch(() => undefined);
    this.#child.stdin?.end();
  }
}
