import type { Ctx } from "#core/context.ts";
import { AlreadyDone } from "#core/write/replay.ts";
import { dispatchTask } from "../dispatch/jobs.ts";
import type { Accepted } from "./accept.ts";

type Send<Params, Body, Row> = (ctx: Ctx, params: Params, body: Body) => Promise<Row>;

/** A send whose replay queues what still waits: the call that stored it may have died before it queued it. */
export function requeuing<Params, Body, Row extends Accepted>(
  send: Send<Params, Body, Row>,
): Send<Params, Body, Row> {
  return (ctx, params, body) =>
    send(ctx, params, body).catch((error: unknown) => {
      // The job looks for what waits, so that a replay costs the database nothing here.
      if (error instanceof AlreadyDone) ctx.afterwards(ctx.enqueue([dispatchTask((error.row as Row).id)]));
      throw error;
    });
}
