import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { newDatabaseKey } from "#control/cli/database-token.ts";
import { StartError } from "./configuration.ts";
import type { Demo } from "./demo.ts";
import { lockFolder } from "./folder-lock.ts";

/** What the sandbox remembers between starts; `demo` is there once both companies are complete. */
export type Memory = {
  master_key: string;
  platform_token: string;
  /** PEM of the key that the databases' tokens are signed with. */
  database_key: string;
  /** What the databases' administration port asks for. */
  admin_key: string;
  /** Where the databases were at the last start: the addresses that the companies have. */
  database_ports?: { data: number; admin: number };
  demo?: Demo;
};

const MEMORY = "sandbox.json";
const LOCK = "running.lock";

/** The folder of one sandbox: its databases, the Worker's state, and its secrets. */
export class DataFolder {
  readonly path: string;
  readonly memory: Memory;

  /**
   * Opens the folder or makes it, for this process alone; `fresh` empties it first. Throws where another start runs on it,
   * and where the files in it are not a sandbox's. `url` is where this start is to be found.
   */
  constructor(path: string, fresh: boolean, url: string) {
    this.path = path;
    const file = this.file(MEMORY);
    const others = existsSync(path) ? readdirSync(path).filter((name) => !name.startsWith(LOCK)) : [];
    if (others.length > 0 && !others.includes(MEMORY)) {
      throw new StartError(`${path} holds other files: set DATA_DIR to an empty folder`);
    }
    // Nobody else on this machine may read the companies' books.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    lockFolder(path, this.file(LOCK), url);
    // Only once nobody else is in it.
    if (fresh) for (const name of others) rmSync(this.file(name), { recursive: true, force: true });
    this.memory = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : newMemory();
    if (this.memory.database_key === undefined) {
      throw new StartError(
        `${path} holds data of an earlier release, in databases of another kind: npm start -- --fresh begins anew`,
      );
    }
    this.remember({});
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Adds to the memory and keeps it. */
  remember(more: Partial<Memory>): void {
    Object.assign(this.memory, more);
    this.write(MEMORY, `${JSON.stringify(this.memory, null, 2)}\n`);
  }

  /** Writes a file that its owner alone may read, whole or not at all. */
  write(name: string, text: string): void {
    const unfinished = this.file(`${name}.new`);
    writeFileSync(unfinished, text, { mode: 0o600 });
    renameSync(unfinished, this.file(name));
  }
}

function newMemory(): Memory {
  return {
    master_key: randomBytes(32).toString("base64"),
    platform_token: randomBytes(32).toString("base64url"),
    database_key: newDatabaseKey(),
    admin_key: randomBytes(32).toString("base64url"),
  };
}
