import { Router } from "#api/operations/operation.ts";
import type { ControlCtx } from "../context.ts";
import { keyRotationExample, reencryptedDatabaseExample, startedRotationExample } from "./examples.ts";
import {
  getKeyRotation,
  listResealedDatabases,
  renderReencryptedDatabase,
  renderRotation,
  startKeyRotation,
} from "./rotation.ts";
import { KeyRotation, ReencryptedDatabase, ReencryptedDatabaseQuery } from "./schema.ts";

/** Changing the master key: for the operator. */
export const rotationRoutes = new Router<ControlCtx>("Platform", "control")
  .add(
    {
      id: "startKeyRotation",
      method: "post",
      changes: [],
      path: "/platform/key-rotation",
      summary: "Encrypt everything with the current master key",
      description:
        "What `PREVIOUS_MASTER_KEY` encrypted is encrypted with `MASTER_KEY` anew, in the control database and in every company's, within minutes. May be sent again at any time: all is looked through again.",
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
      summary: "Show how far the change of the master key is",
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
      summary: "List the databases with what is encrypted in them",
      scope: "platform",
      query: ReencryptedDatabaseQuery,
      result: ReencryptedDatabase,
      example: { result: reencryptedDatabaseExample },
      render: renderReencryptedDatabase,
      sort: (row) => [row.id],
    },
    listResealedDatabases,
  );
