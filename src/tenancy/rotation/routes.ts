import { ControlRouter } from "../control-router.ts";
import {
  getKeyRotation,
  listResealedDatabases,
  renderReencryptedDatabase,
  renderRotation,
  startKeyRotation,
} from "./rotation.ts";
import { KeyRotation, ReencryptedDatabase, ReencryptedDatabaseQuery } from "./schema.ts";

const KEY = "9f86d081884c";

const keyRotationExample = {
  current_key_id: KEY,
  previous_key_id: "2c26b46b68ff",
  rotation: {
    key_id: KEY,
    started_at: "2026-11-21T09:30:00.000Z",
    started_by: "platform",
    status: "waiting" as const,
    databases: { waiting: 2, done: 40, failed: 0 },
    values: [{ key_id: KEY, values: 131 }],
  },
};

const startedRotationExample = {
  ...keyRotationExample,
  rotation: { ...keyRotationExample.rotation, databases: { waiting: 42, done: 0, failed: 0 }, values: [] },
};

const reencryptedDatabaseExample = {
  database: "meera",
  status: "done" as const,
  values: [{ column: "gateway_accounts.credentials", key_id: KEY, values: 1 }],
  error: null,
  looked_at: "2026-11-21T09:31:00.000Z",
};

/** Changing the master key: for the operator. */
export const rotationRoutes = new ControlRouter("Platform", "/key-rotation", {
  record: { schema: KeyRotation, render: renderRotation },
})
  .post({ startKeyRotation }, "/", {
    summary: "Encrypt everything with the current master key",
    description:
      "What `PREVIOUS_MASTER_KEY` encrypted is encrypted with `MASTER_KEY` anew, in the control database and in every company's, within minutes. May be sent again at any time: all is looked through again.",
    status: 202,
    example: { result: startedRotationExample },
  })
  .get({ getKeyRotation }, "/", {
    summary: "Show how far the change of the master key is",
    example: { result: keyRotationExample },
  })
  .list({ listResealedDatabases }, "/databases", {
    summary: "List the databases with what is encrypted in them",
    query: ReencryptedDatabaseQuery,
    record: { schema: ReencryptedDatabase, render: renderReencryptedDatabase },
    example: { result: reencryptedDatabaseExample },
  });
