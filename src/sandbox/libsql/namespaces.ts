import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Database, type Synchronous } from "./database.ts";

const NAME = /^[a-z0-9_][a-z0-9_-]{0,63}$/;
const TEMPLATE = "_template";
const OPEN_LIMIT = 200;

/** The database files of a directory, opened when first asked for. */
export class Namespaces {
  readonly #directory: string;
  readonly #synchronous: Synchronous;
  // In order of use: the first is the one used longest ago.
  readonly #open = new Map<string, Database>();

  constructor(directory: string, synchronous: Synchronous) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    this.#synchronous = synchronous;
    if (!this.exists("default")) this.create("default");
  }

  static isName(name: string): boolean {
    return NAME.test(name);
  }

  exists(name: string): boolean {
    return this.#open.has(name) || (NAME.test(name) && existsSync(this.#path(name)));
  }

  /** The database of an existing namespace. */
  open(name: string): Database {
    const database = this.#open.get(name) ?? new Database(this.#path(name), this.#synchronous);
    this.#open.delete(name);
    this.#open.set(name, database);
    const [oldest = name] = this.#open.keys();
    if (this.#open.size > OPEN_LIMIT) this.#close(oldest);
    return database;
  }

  /** Creates a namespace: a copy of the one named `_template` where there is one, else empty. */
  create(name: string): void {
    if (name === TEMPLATE || !this.exists(TEMPLATE)) {
      this.open(name);
      return;
    }
    // Opening and closing moves what a killed process left in the template's WAL into its file.
    this.open(TEMPLATE);
    this.#close(TEMPLATE);
    const unfinished = `${this.#path(name)}.new`;
    copyFileSync(this.#path(TEMPLATE), unfinished, constants.COPYFILE_FICLONE);
    renameSync(unfinished, this.#path(name));
  }

  remove(name: string): void {
    this.#close(name);
    for (const suffix of ["-wal", "-shm", ""]) rmSync(this.#path(name) + suffix, { force: true });
  }

  closeAll(): void {
    for (const name of [...this.#open.keys()]) this.#close(name);
  }

  #close(name: string): void {
    this.#open.get(name)?.close();
    this.#open.delete(name);
  }

  #path(name: string): string {
    return join(this.#directory, `${name}.db`);
  }
}
