import { openCircuitBreakers } from "#core/database/circuit-breaker.ts";
import { waitingWrites } from "#core/database/group-line.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { API_VERSION, buildOf } from "#shared/version.ts";
import type { ControlCtx, QueueState } from "#tenancy/context.ts";
import { type Judgement, judge } from "./judge.ts";
import { stalledSeconds, tryStalled } from "./stalled-writes.ts";

type ReadinessRow = Judgement & {
  environment: string[];
  origin: string | null;
  now: number;
  queues: QueueState[];
};

/** Judges this instance anew, and says what it is; databases that answered no write are tried meanwhile. */
export async function getReadiness({
  plane,
  services,
  realNow,
  afterwards,
}: ControlCtx): Promise<ReadinessRow> {
  afterwards(tryStalled());
  const [judgement, queues] = await Promise.all([judge(plane.directory), plane.queues()]);
  return {
    ...judgement,
    queues,
    environment: plane.environmentFaults(),
    origin: services.publicOrigin,
    now: realNow(),
  };
}

export function renderReadiness({ faults, environment, origin, now, ...row }: ReadinessRow) {
  return {
    ready: faults.length === 0,
    faults,
    environment,
    version: API_VERSION,
    build: buildOf(),
    public_origin: origin,
    now: timestampToWire(now),
    database_now: timestampOrNull(row.databaseNow),
    writes_waiting: waitingWrites(),
    writes_stalled_seconds: stalledSeconds(),
    circuit_breakers_open: openCircuitBreakers(),
    queues: row.queues.map(({ name, jobs, oldest }) => ({ name, jobs, oldest_at: timestampOrNull(oldest) })),
    heartbeats: row.heartbeats.map(({ name, at }) => ({ name, at: timestampToWire(at) })),
  };
}
