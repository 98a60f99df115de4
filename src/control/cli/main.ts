// The command line of the operator: a client of its HTTP operations. Only dumps need database credentials.
import { defineCommand, renderUsage, runCommand } from "citty";
import { backup, exportCompany, restore, verify } from "./backup/commands.ts";
import { companyCommands } from "./companies.ts";
import { databaseKey } from "./database-key.ts";
import { doctor } from "./doctor/index.ts";
import { lineOf } from "./failure.ts";
import { keyCommands } from "./keys.ts";
import { masterKey } from "./master-key.ts";
import { migrate } from "./migrate.ts";
import { type Asked, commandOf, isHelp, refuseUnknown } from "./options.ts";

const main = defineCommand({
  meta: { name: "company-ops", description: "Runs a Company Operations service" },
  subCommands: {
    company: companyCommands,
    key: keyCommands,
    migrate,
    "master-key": masterKey,
    export: exportCompany,
    backup,
    verify,
    restore,
    doctor,
    "database-key": databaseKey,
  },
});

// The reader of our output, such as `head`, may have closed it.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const words = process.argv.slice(2);
let path = ["company-ops"];
try {
  const asked = commandOf(main, words);
  path = asked.path;
  if (words.length === 0 || asked.rest.some(isHelp)) await help(asked);
  else {
    refuseUnknown(asked);
    await runCommand(main, { rawArgs: words });
  }
} catch (error) {
  process.stderr.write(`${lineOf(error)}; ${path.join(" ")} --help tells more\n`);
  process.exitCode = 1;
}

async function help({ command, path: [...leading] }: Asked): Promise<void> {
  const name = leading.pop() ?? "";
  const named = { ...command, meta: { ...command.meta, name } };
  const parent = leading.length > 0 ? { meta: { name: leading.join(" ") } } : undefined;
  process.stdout.write(`${await renderUsage(named, parent)}\n\n`);
}
