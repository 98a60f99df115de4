import { expect, inject, test } from "vitest";
import type { BackgroundCtx, SystemWriteCtx } from "#core/context.ts";
import { Database } from "#core/database/database.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { NO_CHANGES } from "#core/write/events.ts";
import { recipientsDue, requeueOverdue } from "../../../src/features/messaging/dispatch/requeue.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";

const NOW = 1_795_000_000_000;
const MINUTE_MS = 60_000;

/** Recipients that are due at NOW, and that no job takes up. */
async function withWaiting(count: number): Promise<TestCompany> {
  const company = await openCompany();
  await company.database().batch(
    [
      {
        sql: `INSERT INTO messages (id, channel, status, details, content, created_at)
          VALUES ('msg_1', 'email', 'sent', '{}', '{}', ?)`,
        args: [NOW],
      },
      {
        sql: `INSERT INTO message_recipients (message_id, ordinal, address, status, provider, dispatch_state, leased_until)
          SELECT 'msg_1', value, value || '@asha.example', 'sent', 'http', 'pending', ?
          FROM (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?) SELECT value FROM n)`,
        args: [NOW, count],
      },
    ],
    "write",
  );
  return company;
}

/** A look at an instant that acts on what it finds: what it queued, and when it wants to look again. */
async function lookAt(company: TestCompany, now: number) {
  const { libsqlUrl, libsqlToken: token } = inject("service");
  const database = new Database({ url: `${libsqlUrl}/dev/${company.namespace}/`, token });
  const queued: string[] = [];
  const ctx = {
    db: database.build,
    database,
    now,
    changes: NO_CHANGES,
    enqueue: async (tasks: { message: string }[]) => void queued.push(...tasks.map((task) => task.message)),
  } as unknown as SystemWriteCtx & BackgroundCtx;
  const [look] = parseRows((await database.read([jsonQuery(ctx, recipientsDue.look(ctx))]))[0]);
  const again = look?.due === 1 ? await requeueOverdue(ctx) : null;
  return { queued: queued.length, next: look?.next ?? null, again };
}

test("what no job takes up is queued again after a minute, then after two, four, and up to 64 more", async () => {
  const company = await withWaiting(1);
  let due = NOW + MINUTE_MS;
  for (const minutes of [2, 4, 8, 16, 32, 64, 64, 64]) {
    expect(await lookAt(company, due - 1)).toEqual({ queued: 0, next: due, again: null });
    expect(await lookAt(company, due)).toMatchObject({ queued: 1, again: due + 2 * MINUTE_MS });
    due += minutes * MINUTE_MS;
  }
});

test("a campaign has one job queued again, and is gone through in shares of a thousand", async () => {
  const company = await withWaiting(2_500);
  const now = NOW + MINUTE_MS;
  expect(await lookAt(company, now)).toMatchObject({ queued: 1, again: now });
  expect(await lookAt(company, now)).toMatchObject({ queued: 1, again: now });
  expect(await lookAt(company, now)).toMatchObject({ queued: 1, again: now + 2 * MINUTE_MS });
  expect(await lookAt(company, now + MINUTE_MS)).toMatchObject({ queued: 0, next: now + 2 * MINUTE_MS });
});

test("one that is leased meanwhile is due once its lease has expired: its job has died", async () => {
  const company = await withWaiting(1);
  await lookAt(company, NOW + MINUTE_MS);
  const leased = NOW + 10 * MINUTE_MS;
  await company.rows(`UPDATE message_recipients SET lease = 'run', leased_until = ${leased}`);
  expect(await lookAt(company, leased - 1)).toMatchObject({ queued: 0, next: leased });
  expect(await lookAt(company, leased)).toMatchObject({ queued: 1 });
});
