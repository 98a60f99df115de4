import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { vi } from "vitest";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";

/**
 * Pastes the block of README.md that saves a receiver into a shell, and runs that in a Node of its own; `told` has the
 * lines that it writes.
 */
export async function startReadmeReceiver(secret: string, ownPort?: number) {
  const [, block = ""] =
    /^```sh\n(cat > receiver\.mjs .+?)^```/ms.exec(readFileSync("README.md", "utf8")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "company-operations-receiver-"));
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  execFileSync("bash", ["--noprofile", "--norc"], { cwd: folder, input: block });
  const port = ownPort ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ["receiver.mjs"], {
    cwd: folder,
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
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
