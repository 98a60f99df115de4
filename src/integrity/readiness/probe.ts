import { sql } from "drizzle-orm";
import { isOfFiles } from "#core/database/failure.ts";
import { logFault } from "#core/log.ts";
import { heartbeats } from "#tables/tenancy";
import type { ControlCtx } from "#tenancy/context.ts";
import type { QueueName } from "#tenancy/heartbeats.ts";

type Written = "written" | "files" | "refused";
export type ProbeRow = { database: Written; bucket: boolean; queues: { name: QueueName; sent: boolean }[] };

const FOLDER = "probes";
const TEXT = "A file of company-ops doctor";

/** Writes to the control database, stores, reads and deletes a small file, and sends each queue a ping, whose arrival its consumer records. */
export async function probe(ctx: ControlCtx): Promise<ProbeRow> {
  const [database, bucket, queues] = await Promise.all([
    probeDatabase(ctx),
    probeBucket(ctx),
    ctx.plane.ping(),
  ]);
  return { database, bucket, queues };
}

/** Commits a row that is no more there then: its pages reach the disk all the same. */
async function probeDatabase({ database, now }: ControlCtx): Promise<Written> {
  try {
    await database.write([
      sql`INSERT OR REPLACE INTO ${heartbeats} (name, at) VALUES (${FOLDER}, ${now})`,
      sql`DELETE FROM ${heartbeats} WHERE name = ${FOLDER}`,
    ]);
    return "written";
  } catch (error) {
    return isOfFiles(error) ? "files" : "refused";
  }
}

async function probeBucket(ctx: ControlCtx): Promise<boolean> {
  try {
    const files = ctx.files(FOLDER);
    const bytes = new TextEncoder().encode(TEXT);
    const file = {
      path: `${ctx.newId()}/probe.txt`,
      name: "probe.txt",
      type: "text/plain",
      size: bytes.length,
    };
    await files.put(file, bytes);
    const { body } = await files.get(file);
    const text = await new Response(body).text();
    await files.delete([file.path]);
    return text === TEXT;
  } catch (error) {
    logFault("bucket", error);
    return false;
  }
}
