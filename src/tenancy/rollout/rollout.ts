import { and, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type * as z from "zod";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, refuseWhen } from "#core/write/atomic.ts";
import { fieldProblem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { companies, failedUpgrades, rollouts } from "#tables/tenancy";
import { schemaNumber } from "#tenancy/migrations/schema-number.ts";
import type { ControlCtx } from "../context.ts";
import { ControlRouter } from "../control-router.ts";
import { Rollout, RolloutChange, RolloutQuery } from "./schema.ts";

type Failed = { company: string; error: string; failed_at: number };
type RolloutRow = Omit<z.infer<typeof Rollout>, "set_at" | "failed"> & {
  id: string;
  set_at: number | null;
  failed: Failed[];
};

/** Which companies a release may upgrade: for the operator. */
export const rolloutRoutes = new ControlRouter("Platform", "/rollout", {
  record: { schema: Rollout, render: renderRollout },
})
  .get({ getRollout }, "/", {
    summary: "Show which companies the release may upgrade",
    description: "And how many have an older schema, and those whose upgrade failed.",
    query: RolloutQuery,
  })
  .put({ setRollout }, "/", {
    summary: "Set which companies the release may upgrade",
    description:
      "Before the release is deployed, name its canaries with its `schema_number`. Companies whose upgrade failed are tried again, unless the state is `stopped`.",
    body: RolloutChange,
  });

/** Which companies the release of a schema may upgrade, by default this one, and how far it has come. */
function getRollout(
  ctx: ControlCtx,
  _params: unknown,
  { schema_number: number = schemaNumber() }: RolloutQuery,
): Promise<RolloutRow> {
  return readOne(ctx, sql<RolloutRow>`SELECT (${rolloutSnapshot(number)}) AS snapshot`);
}

/** Sets which companies the release of a schema may upgrade; those that failed count as not tried. */
function setRollout(
  ctx: ControlCtx,
  _params: unknown,
  { schema_number: number = schemaNumber(), state, canaries = [] }: RolloutChange,
): Promise<RolloutRow> {
  const slugs = JSON.stringify(canaries);
  const row = { schemaNumber: number, state, canaries: slugs, updatedAt: ctx.now };
  const isUnknown = sql`EXISTS (SELECT 1 FROM json_each(${slugs})
    WHERE value NOT IN (SELECT ${companies.slug} FROM ${companies}))`;
  return atomic(
    ctx,
    [
      refuseWhen(isUnknown, "not_found"),
      ctx.db.insert(rollouts).values(row).onConflictDoUpdate({ target: rollouts.schemaNumber, set: row }),
      ...(state === "stopped" ? [] : [ctx.db.delete(failedUpgrades)]),
    ],
    rolloutSnapshot(number),
    { not_found: () => fieldProblem("canaries", "unknown_company", "names a company that is not there") },
  );
}

/** With `id` for the audit log. */
function rolloutSnapshot(number: number): SQL<RolloutRow> {
  const here = sql`${rollouts.schemaNumber} = ${number}`;
  const isBehind = and(
    lt(companies.schemaNumber, number),
    isNotNull(companies.databaseUrl),
    isNull(companies.closedAt),
  );
  return sql`SELECT json_object('id', ${String(number)}, 'schema_number', ${number},
    'state', coalesce((SELECT ${rollouts.state} FROM ${rollouts} WHERE ${here}), 'open'),
    'set_at', (SELECT ${rollouts.updatedAt} FROM ${rollouts} WHERE ${here}),
    'canaries', json(coalesce((SELECT ${rollouts.canaries} FROM ${rollouts} WHERE ${here}), '[]')),
    'behind', (SELECT count(*) FROM ${companies} WHERE ${isBehind}),
    'failed', (SELECT json_group_array(json_object('company', ${companies.slug}, 'error', ${failedUpgrades.error},
        'failed_at', ${failedUpgrades.failedAt}))
      FROM ${failedUpgrades} JOIN ${companies} ON ${companies.id} = ${failedUpgrades.companyId}
      WHERE ${failedUpgrades.schemaNumber} = ${number}))`;
}

function renderRollout({ id: _, set_at: setAt, failed, ...row }: RolloutRow) {
  return {
    ...row,
    set_at: setAt === null ? null : timestampToWire(setAt),
    failed: failed.map((one) => ({ ...one, failed_at: timestampToWire(one.failed_at) })),
  };
}
