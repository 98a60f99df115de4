import { runCommand } from "citty";
import { main } from "#cli/commands.ts";
import { lineOf } from "#cli/failure.ts";
import { commandOf, refuseUnknown } from "#cli/options.ts";

/** The line with which the command line refuses these words, without a process of its own. */
export async function refusalOf(words: string[]): Promise<string> {
  try {
    refuseUnknown(commandOf(main, words));
    await runCommand(main, { rawArgs: words });
  } catch (error) {
    return lineOf(error);
  }
  throw new Error(`${words.join(" ")} was not refused`);
}
