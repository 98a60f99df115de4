import { defineCommand } from "citty";
import { adopt } from "./adopt.ts";
import { backup } from "./backup/backup-command.ts";
import { exportCompany, restore } from "./backup/commands.ts";
import { verify } from "./backup/verify-command.ts";
import { check } from "./check.ts";
import { companyCommands } from "./companies.ts";
import { databaseKey } from "./database-key.ts";
import { databaseToken } from "./database-tokens.ts";
import { doctor } from "./doctor/index.ts";
import { keyCommands } from "./keys.ts";
import { masterKey } from "./master-key.ts";
import { migrate } from "./migrate.ts";
import { rollout } from "./rollout.ts";
import { status } from "./status.ts";

/** All commands of the operator. */
export const main = defineCommand({
  meta: { description: "Runs a Company Operations service" },
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
    check,
    status,
    doctor,
    "database-key": databaseKey,
    "database-token": databaseToken,
  },
});
