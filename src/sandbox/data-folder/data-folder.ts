import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { newDatabaseKey } from "#cli/database-token.ts";
import { StartError } from "../configuration.ts";
import type { Demo } from "../demo/demo.ts";
import { lockFolder } from "./folder-lock.ts";
import { writeWhole } from "./kept-file.ts";

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
  /** What event endpoints sign with, the demo's and those that were entered, by the names of their receivers. */
  webhook_secrets?: Record<string, string>;
  demo?: Demo;
};

const MEMORY = "sandbox.json";
const LOCK = "running.lock";
// No other user of this machine may read the companies' books.
const OWNER_ONLY = 0o700;

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
    try {
      this.memory = this.#open(fresh, url);
      this.remember({});
    } catch (error) {
      throw unusable(path, error);
    }
  }

  #open(fresh: boolean, url: string): Memory {
    const { path } = this;
    const file = this.file(MEMORY);
    const others = existsSync(path) ? readdirSync(path).filter((name) => !name.startsWith(LOCK)) : [];
    if (others.length > 0 && !others.includes(MEMORY)) {
      throw new StartError(`${path} holds other files: set DATA_DIR to an empty folder`);
    }
    makeFolder(path);
    chmodSync(path, OWNER_ONLY);
    lockFolder(path, this.file(LOCK), url);
    // Only once no other process is in it.
    if (fresh) for (const name of others) rmSync(this.file(name), { recursive: true, force: true });
    const memory: Memory = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : newMemory();
    if (memory.database_key !== undefined) return memory;
    throw this.ofAnotherVersion();
  }

  /** What a start is refused with whose folder this version cannot go on with. */
  ofAnotherVersion(): StartError {
    return new StartError(`${this.path} holds data of another version: npm start -- --fresh begins anew`);
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
    writeWhole(this.file(name), text);
  }
}

/** What to do once a part has ended by itself, and all others with it. */
export function goOn({ path }: DataFolder): string {
  return `All parts have ended; nothing is lost: npm start goes on with what is in ${path}.`;
}

/** Makes the folder and those above it, one by one: Node's own recursive way never returns below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path, { mode: OWNER_ONLY });
}

/** What the operating system refused, as a line that says what to do; any other error as it is. */
function unusable(path: string, error: unknown): unknown {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return new StartError(`DATA_DIR ${path} cannot be written (${code}): set it to a folder of yours`);
}

function newMemory(): Memory {
  return {
    master_key: randomBytes(32).toString("base64"),
    platform_token: randomBytes(32).toString("base64url"),
    database_key: newDatabaseKey(),
    admin_key: randomBytes(32).toString("base64url"),
  };
}
