import { logFault } from "#core/log.ts";
import type { ControlCtx } from "#tenancy/context.ts";
import type { QueueName } from "#tenancy/heartbeats.ts";

export type ProbeRow = { bucket: boolean; queues: { name: QueueName; sent: boolean }[] };

const FOLDER = "probes";
const TEXT = "A file of company-ops doctor";

/** Stores, reads and deletes a small file, and sends each queue a ping, whose arrival its consumer records. */
export async function probe(ctx: ControlCtx): Promise<ProbeRow> {
  const [bucket, queues] = await Promise.all([probeBucket(ctx), ctx.plane.ping()]);
  return { bucket, queues };
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
