import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { API_VERSION, buildOf } from "#shared/version.ts";
import type { ControlCtx } from "#tenancy/context.ts";
import { type Judgement, judge } from "./judge.ts";

type ReadinessRow = Judgement & { environment: string[]; origin: string | null; now: number };

/** Judges this instance anew, and says what it is. */
export async function getReadiness({ plane, services, realNow }: ControlCtx): Promise<ReadinessRow> {
  const judgement = await judge(plane.directory);
  return {
    ...judgement,
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
    heartbeats: row.heartbeats.map(({ name, at }) => ({ name, at: timestampToWire(at) })),
  };
}
