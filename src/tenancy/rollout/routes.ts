import { ControlRouter } from "../control-router.ts";
import { getRollout, renderRollout, setRollout } from "./rollout.ts";
import { Rollout, RolloutChange, RolloutQuery } from "./schema.ts";

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
