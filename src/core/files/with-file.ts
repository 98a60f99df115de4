import { between } from "drizzle-orm";
import { AlreadyDone } from "#core/write/replay.ts";
import { mediaTypeOf } from "#shared/files/file-field.ts";
import { asciiName, type Upload } from "#shared/files/upload.ts";
import { Problem } from "#shared/problem.ts";
import { ulid } from "#shared/text/ulid.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { BackgroundCtx, FileCtx, IdCtx, ReadCtx } from "../context.ts";
import type { FileRecord } from "./folder.ts";
import type { KeptFiles } from "./kept-files.ts";

/**
 * Stores the upload, if there is one, then writes its record; `pathIn` gives the file that the written record holds. A
 * file that no record came to hold is deleted at once, or by `sweepFolder` where the outcome of the write is unknown.
 */
export async function withFile<Row>(
  ctx: FileCtx & IdCtx & BackgroundCtx,
  folder: string,
  upload: Upload | undefined,
  write: (file: FileRecord | null) => Promise<Row>,
  pathIn: (row: Row) => string | null,
): Promise<Row> {
  if (upload === undefined) return write(null);
  const file = {
    path: `${ctx.newId()}/${asciiName(upload.name)}`,
    name: upload.givenName,
    type: mediaTypeOf(upload),
    size: upload.bytes.length,
  };
  const files = ctx.files(folder);
  const discard = () => ctx.afterwards(files.delete([file.path]));
  await files.put(file, upload.bytes);
  try {
    const row = await write(file);
    if (pathIn(row) !== file.path) discard();
    return row;
  } catch (error) {
    const unknown = error instanceof Problem && error.code === "outcome_unknown";
    const held = error instanceof AlreadyDone && pathIn(error.row as Row) === file.path;
    if (!unknown && !held) discard();
    throw error;
  }
}

const LOOK_BACK_MS = 7 * 24 * HOUR_MS;
const TIME_CHARACTERS = 10;

/**
 * Deletes the files of the last week that no record holds: what a lost connection or a killed process left. Those of
 * the last hour are let be, for their record may be on its way. `heldBetween` gives the paths that records hold.
 */
export async function sweepFolder(
  ctx: FileCtx & Pick<ReadCtx, "now">,
  folder: string,
  heldBetween: (first: string, last: string) => Promise<string[]>,
): Promise<void> {
  const files = ctx.files(folder);
  const youngest = timeOf(ctx.now - HOUR_MS);
  let after = timeOf(ctx.now - LOOK_BACK_MS);
  for (;;) {
    const paths = (await files.listAfter(after)).filter((path) => path < youngest);
    const [first] = paths;
    const last = paths.at(-1);
    if (first === undefined || last === undefined) return;
    const held = new Set(await heldBetween(first, last));
    await files.delete(paths.filter((path) => !held.has(path)));
    after = last;
  }
}

/** Deletes the files of a folder that its records do not hold. */
export function sweepFiles(ctx: FileCtx & ReadCtx, { folder, path }: KeptFiles): Promise<void> {
  return sweepFolder(ctx, folder, async (first, last) => {
    const held = ctx.db
      .select({ path })
      .from(path.table)
      .where(between(path, first, last));
    const [rows] = await ctx.database.read([held]);
    return rows.map((row) => String(row.path));
  });
}

/** What the ULIDs of one millisecond begin with. */
function timeOf(epochMs: number): string {
  return ulid(Math.max(0, epochMs)).slice(0, TIME_CHARACTERS);
}
