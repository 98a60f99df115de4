import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { vi } from "vitest";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";

/** Pastes README's receiver into a shell, and runs it in a Node of its own; `told` has the lines that it writes. */
export async function startReadmeReceiver(secret: string, ownPort?: number) {
  const [, block = ""] =
    /^```sh\n(cat > receiver\.mjs .+?)^```/ms.exec(readFileSync("README.md", "utf8")) ?? [];
  const pasted = `cd "$(mktemp -d)"\n${block}cat receiver.mjs && rm -r "$PWD"`;
  const lines = execFileSync("bash", { input: pasted, encoding: "utf8" });
  const port = ownPort ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", lines], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  const told: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => told.push(line));
  await vi.waitFor(() => fetch(url), 10_000);
  return {
    url,
    told,
    [Symbol.dispose]() {
      child.kill();
    },
  };
}
