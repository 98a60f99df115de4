import { defineCommand } from "citty";
import { adopt } from "./adopt.ts";
import { backup, exportCompany, restore, verify } from "./backup/commands.ts";
import { companyCommands } from "./companies.ts";
import { databaseKey } from "./database-key.ts";
import { doctor } from "./doctor/index.ts";
import { keyCommands } from "./keys.ts";
import { masterKey } from "./master-key.ts";
import { migrate } from "./migrate.ts";
import { rollout } from "./rollout.ts";

/** All commands of the operator. */
export const main = defineCommand({
  meta: { name: "company-ops", description: "Runs a Company Operations service" },
  subCommands: {
    company: companyCommands,
    key: keyCommands,
    migrate,
    rollout,
    "master-key": masterKey,
    export: exportCompany,
    backup,
    verify,
    restore,
    adopt,
    doctor,
    "database-key": databaseKey,
  },
});
