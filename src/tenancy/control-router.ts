import type { Area } from "#api/operations/areas.ts";
import type { Defaults } from "#api/operations/literal.ts";
import { Router } from "#api/operations/operation.ts";
import type { ControlCtx } from "./context.ts";

/** Operations whose verbs work on the control database. */
export class ControlRouter<D extends Defaults<ControlCtx> = object> extends Router<ControlCtx, D> {
  constructor(area: Area, path: string, defaults?: D) {
    super(area, path, defaults, "control");
  }
}
