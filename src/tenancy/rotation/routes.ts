import { ControlRouter } from "../control-router.ts";
import {
  getKeyRotation,
  listResealedDatabases,
  renderReencryptedDatabase,
  renderRotation,
  startKeyRotation,
} from "./rotation.ts";
import { KeyRotation, ReencryptedDatabase, ReencryptedDatabaseQuery } from "./schema.ts";

/** Changing the master key: for the operator. */
export const rotationRoutes = new ControlRouter("Platform", "/key-rotation", {
  record: { schema: KeyRotation, render: renderRotation },
})
  .post({ startKeyRotation }, "/", {
    summary: "Encrypt everything with the current master key",
    description:
      "What `PREVIOUS_MASTER_KEY` encrypted is encrypted with `MASTER_KEY` anew, in the control database and in every company's, within minutes. May be sent again at any time: all is looked through again.",
    status: 202,
  })
  .get({ getKeyRotation }, "/", {
    summary: "Show how far the change of the master key is",
  })
  .list({ listResealedDatabases }, "/databases", {
    summary: "List the databases with what is encrypted in them",
    query: ReencryptedDatabaseQuery,
    record: { schema: ReencryptedDatabase, render: renderReencryptedDatabase },
  });
