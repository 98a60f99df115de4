#!/usr/bin/env node
// The command line of whoever runs the service: a client of its HTTP operations, needing no database credentials.
import { defineCommand, runCommand, runMain } from "citty";
import { companyCommands } from "./companies.ts";
import { databaseKey } from "./database-key.ts";
import { doctor } from "./doctor/index.ts";
import { lineOf } from "./failure.ts";
import { keyCommands } from "./keys.ts";
import { migrate } from "./migrate.ts";

const main = defineCommand({
  meta: { name: "company-ops", description: "Runs a Company Operations service" },
  subCommands: { company: companyCommands, key: keyCommands, migrate, doctor, "database-key": databaseKey },
});

const words = process.argv.slice(2);
if (words.length === 0) await runMain(main, { rawArgs: ["--help"] });
else if (words.includes("--help") || words.includes("-h")) await runMain(main);
else {
  try {
    await runCommand(main, { rawArgs: words });
  } catch (error) {
    process.stderr.write(`${lineOf(error)}; company-ops ${commandOf(words)}--help tells more\n`);
    process.exitCode = 1;
  }
}

/** The command's own words: what stands before its options. */
function commandOf(given: string[]): string {
  const own = given.slice(0, 2).filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith("-"));
  return own.map((word) => `${word} `).join("");
}
