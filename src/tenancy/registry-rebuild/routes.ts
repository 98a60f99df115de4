import { ControlRouter } from "../control-router.ts";
import {
  type ClaimRow,
  type RebuiltRow,
  readDatabaseClaim,
  rebuildFromDatabase,
} from "./rebuild-from-database.ts";
import { endAdoption, getAdoption, renderRegistryRebuild } from "./restored.ts";
import {
  AdoptedDatabase,
  Adoption,
  DatabaseAdoption,
  DatabaseClaim,
  DatabaseParams,
  DatabaseQuery,
} from "./schema.ts";

const named = <Row extends { id: string }>({ id, ...row }: Row) => ({ database: id, ...row });

/** Taking companies in again after a loss of the control database: for the operator. */
export const registryRebuildRoutes = new ControlRouter("Platform", "/", {
  record: { schema: Adoption, render: renderRegistryRebuild },
  params: DatabaseParams,
})
  .get({ getAdoption }, "/adoption", {
    summary: "Show whether the control database was restored, and lacks what came since",
  })
  .post({ endAdoption }, "/adoption", {
    summary: "Note that all companies' copies were taken in",
    description: "`company-ops adopt` sends it at its end, where nothing failed and nothing was refused.",
  })
  .get({ readDatabaseClaim }, "/databases/:name", {
    summary: "Read which company a database says it is of",
    description: "What is only said: two databases may say the same. Changes nothing.",
    query: DatabaseQuery,
    record: { schema: DatabaseClaim, render: (row: ClaimRow) => named(row) },
  })
  .post({ adoptDatabase: rebuildFromDatabase }, "/databases/:name/adopt", {
    summary: "Take in a company and its keys from its own database",
    description:
      "For what the control database has lost. A key that either of the two has revoked is revoked in both. A database that has taken the place of the one that the control database knows, as that one itself says, is the company's then. A slug, an id or a key that another company has is refused, and 409 `conflict` says that the database was changed since it was read. May be sent again at any time: what is done is not done twice.",
    idempotent: false,
    body: DatabaseAdoption,
    record: { schema: AdoptedDatabase, render: (row: RebuiltRow) => named(row) },
  });
