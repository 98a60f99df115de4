import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { Failure } from "../failure.ts";
import { type Dumped, dump } from "./dump.ts";
import { headerLine, type Source } from "./header.ts";
import type { Reader } from "./values.ts";

// What a company wrote is for the operator alone.
const PRIVATE = { mode: 0o600 } as const;

/** Writes the database as plain SQL. Throws a Failure where the file is there already. */
export async function writeDump(reader: Reader, file: string): Promise<Dumped> {
  return whole(file, async (partial) => {
    const { parts, dumped } = heard(dump(reader), () => undefined);
    await pipeline(Readable.from(parts), createWriteStream(partial, PRIVATE));
    return dumped();
  });
}

/** Writes the database as a backup: a header and the SQL, each a member of one gzip file. */
export async function writeBackup(reader: Reader, file: string, source: Source): Promise<Dumped> {
  const rows = `${file}.rows`;
  return whole(file, async (partial) => {
    const hash = createHash("sha256");
    let bytes = 0;
    const takenAt = new Date().toISOString();
    const { parts, dumped } = heard(dump(reader), (part) => {
      hash.update(part);
      bytes += Buffer.byteLength(part);
    });
    try {
      await pipeline(Readable.from(parts), createGzip(), createWriteStream(rows, PRIVATE));
      const sql = { bytes, sha256: hash.digest("hex") };
      const header = headerLine({ source, taken_at: takenAt, sql, ...dumped() });
      await writeFile(partial, gzipSync(header), PRIVATE);
      await pipeline(createReadStream(rows), createWriteStream(partial, { flags: "a" }));
      return dumped();
    } finally {
      await rm(rows, { force: true });
    }
  });
}

/** Has a file written beside its place, and puts it there once it is whole and on the disk. */
async function whole(file: string, write: (partial: string) => Promise<Dumped>): Promise<Dumped> {
  if (existsSync(file)) throw new Failure(`${file} is there already: name another file`);
  const partial = `${file}.partial`;
  try {
    const dumped = await write(partial);
    const handle = await open(partial, "r+");
    await handle.sync().finally(() => handle.close());
    await rename(partial, file);
    return dumped;
  } finally {
    await rm(partial, { force: true });
  }
}

/** The parts of a dump, each told as it passes, and what the dump gave when it ended. */
function heard(parts: AsyncGenerator<string, Dumped>, hear: (part: string) => void) {
  let dumped: Dumped | undefined;
  async function* passing() {
    for (let step = await parts.next(); ; step = await parts.next()) {
      if (step.done === true) {
        dumped = step.value;
        return;
      }
      hear(step.value);
      yield step.value;
    }
  }
  return {
    parts: passing(),
    dumped(): Dumped {
      if (dumped === undefined) throw new Failure("The dump ended early");
      return dumped;
    },
  };
}
