import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import type { Job } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import { heartbeats } from "#tables/tenancy";
import type { Directory } from "./directory.ts";

/** The queues that the Worker sends to, by the names of wrangler.toml. */
export type QueueName = "messages" | "housekeeping" | "deliveries" | "clock" | "notifications";

/** The job that only records that a queue's consumer works; it is of no company. */
export type PingJob = Job<{ readonly kind: "ping"; readonly queue: QueueName }>;

/** Records that the cron or a queue's consumer did its work. `now`: epoch ms. */
export async function recordHeartbeat(
  { control }: Directory,
  name: QueueName | "cron",
  now: number,
): Promise<void> {
  await new Database(control).write([
    sql`INSERT INTO ${heartbeats} (name, at) VALUES (${name}, ${now})
      ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE excluded.at > at`,
  ]);
}

/** Does a ping; a failure is tried again by the queue. */
export async function answerPing(
  directory: Directory,
  message: Message<PingJob>,
  now: number,
): Promise<void> {
  try {
    await recordHeartbeat(directory, message.body.queue, now);
    message.ack();
  } catch (error) {
    logFault("job", error);
    message.retry();
  }
}

/** Sends a ping to a queue; false where the queue does not take it. */
export async function ping(name: QueueName, queue: Pick<Queue<PingJob>, "send">): Promise<boolean> {
  try {
    await queue.send({ kind: "ping", queue: name, company: "" });
    return true;
  } catch (error) {
    logFault("queue", error, name);
    return false;
  }
}
