import { stat } from "node:fs/promises";
import { lineOf } from "../failure.ts";
import { callAgain, type PlatformArguments } from "../request.ts";
import { atOneMoment } from "./database/one-moment.ts";
import type { Address } from "./database/stream.ts";
import type { Source } from "./file/header.ts";
import { type BackedUp, writeBackup } from "./file/write-files.ts";
import { fetcherOf } from "./files/transfer.ts";

type Asked = PlatformArguments & { "without-files": boolean; isOwn: boolean };

/** `unrecorded`: why the API did not record it. The backup is whole all the same. */
type Recorded = BackedUp & { unrecorded?: string };

/**
 * Writes a database as a backup. Of a company's own (`isOwn`) the API records it, for `company-ops status`; without files
 * the API is asked for nothing.
 */
export async function backUp(
  asked: Asked,
  { source, address }: { source: Source; address: Address },
  file: string,
): Promise<Recorded> {
  const slug = source.control || asked["without-files"] ? undefined : source.company.slug;
  const fetchFile = slug === undefined ? undefined : fetcherOf(asked, slug);
  const backedUp = await atOneMoment(address, (stream) => writeBackup(stream, file, source, fetchFile));
  if (slug === undefined || !asked.isOwn) return backedUp;
  try {
    await recordBackup(asked, slug, file, backedUp.taken_at);
    return backedUp;
  } catch (error) {
    return { ...backedUp, unrecorded: lineOf(error) };
  }
}

/** Has the API record a backup that was made. */
export async function recordBackup(
  args: PlatformArguments,
  slug: string,
  file: string,
  takenAt: string,
): Promise<void> {
  const { size: bytes } = await stat(file);
  const path = `/platform/companies/${encodeURIComponent(slug)}/backups`;
  await callAgain(args, "POST", path, { taken_at: takenAt, bytes });
}
