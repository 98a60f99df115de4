import { Router } from "#contract/operation.ts";
import type { ControlCtx } from "../context.ts";
import { keyRotationExample, resealedDatabaseExample, startedRotationExample } from "./examples.ts";
import {
  getKeyRotation,
  listResealedDatabases,
  renderResealedDatabase,
  renderRotation,
  startKeyRotation,
} from "./rotation.ts";
import { KeyRotation, ResealedDatabase, ResealedDatabaseQuery } from "./schema.ts";

/** Changing the master key: for the operator. */
export const rotationRoutes = new Router<ControlCtx>("Platform", "control")
  .add(
    {
      id: "startKeyRotation",
      method: "post",
      changes: [],
      path: "/platform/key-rotation",
      summary: "Seal everything with the current master key",
      description:
        "What `PREVIOUS_MASTER_KEY` sealed is sealed with `MASTER_KEY` anew, in the control database and in every company's, within minutes. May be sent again at any time: all is looked through again.",
      scope: "platform",
      result: KeyRotation,
      status: 202,
      example: { result: startedRotationExample },
      render: renderRotation,
    },
    startKeyRotation,
  )
  .add(
    {
      id: "getKeyRotation",
      method: "get",
      path: "/platform/key-rotation",
      summary: "Tell how far the change of the master key is",
      scope: "platform",
      result: KeyRotation,
      example: { result: keyRotationExample },
      render: renderRotation,
    },
    getKeyRotation,
  )
  .list(
    {
      id: "listResealedDatabases",
      method: "get",
      path: "/platform/key-rotation/databases",
      summary: "List the databases with what is sealed in them",
      scope: "platform",
      query: ResealedDatabaseQuery,
      result: ResealedDatabase,
      example: { result: resealedDatabaseExample },
      render: renderResealedDatabase,
      sort: (row) => [row.id],
    },
    listResealedDatabases,
  );
