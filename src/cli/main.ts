// The command line of the operator: a client of its HTTP operations. Only dumps need database credentials.
import { renderUsage, runCommand } from "citty";
import { main } from "./commands.ts";
import { lineOf } from "./failure.ts";
import { type Asked, commandOf, isHelp, refuseUnknown } from "./options.ts";

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
  process.stderr.write(`${lineOf(error)}; see ${path.join(" ")} --help\n`);
  process.exitCode = 1;
}

async function help({ command, path: [...leading] }: Asked): Promise<void> {
  const name = leading.pop() ?? "";
  const named = { ...command, meta: { ...command.meta, name } };
  const parent = leading.length > 0 ? { meta: { name: leading.join(" ") } } : undefined;
  process.stdout.write(`${await renderUsage(named, parent)}\n\n`);
}
