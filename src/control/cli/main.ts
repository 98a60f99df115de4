#!/usr/bin/env node
// The command line of whoever runs the service: a client of its HTTP operations, needing no database credentials.
import { defineCommand, runMain } from "citty";
import { company } from "./company.ts";
import { databaseKey } from "./database-key.ts";
import { doctor } from "./doctor/index.ts";
import { key } from "./key.ts";
import { migrate } from "./migrate.ts";

await runMain(
  defineCommand({
    meta: { name: "company-ops", description: "Runs a Company Operations service" },
    subCommands: { company, key, migrate, doctor, "database-key": databaseKey },
  }),
);
