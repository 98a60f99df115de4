import { Router } from "#api/operations/operation.ts";
import type { ControlCtx } from "../context.ts";
import { getRollout, renderRollout, setRollout } from "./rollout.ts";
import { Rollout, RolloutChange, RolloutQuery } from "./schema.ts";

const path = "/platform/rollout";
const example = {
  schema_number: 27,
  state: "canary" as const,
  set_at: "2026-07-22T09:15:00.000Z",
  canaries: ["meera"],
  behind: 41,
  failed: [],
};
const shared = { scope: "platform", path, result: Rollout, render: renderRollout } as const;

/** Which companies a release may upgrade: for the operator. */
export const rolloutRoutes = new Router<ControlCtx>("Platform", "control")
  .add(
    {
      ...shared,
      id: "getRollout",
      method: "get",
      summary: "Show which companies the release may upgrade",
      description: "And how many have an older schema, and those whose upgrade failed.",
      query: RolloutQuery,
      problems: [],
      example: { result: example },
    },
    getRollout,
  )
  .add(
    {
      ...shared,
      id: "setRollout",
      method: "put",
      summary: "Set which companies the release may upgrade",
      description:
        "Before the release is deployed, name its canaries with its `schema_number`. Companies whose upgrade failed are tried again, unless the state is `stopped`.",
      body: RolloutChange,
      problems: [],
      example: { body: { schema_number: 27, state: "canary", canaries: ["meera"] }, result: example },
    },
    setRollout,
  );
