import { runCommand } from "citty";
import { vi } from "vitest";
import { main } from "#cli/commands.ts";
import { lineOf } from "#cli/failure.ts";
import { commandOf, refuseUnknown } from "#cli/options.ts";

/** The line with which the command line refuses these words under these variables, without a process of its own. */
export async function refusalOf(words: string[], variables: NodeJS.ProcessEnv): Promise<string> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    refuseUnknown(commandOf(main, words));
    await runCommand(main, { rawArgs: words });
  } catch (error) {
    return lineOf(error);
  } finally {
    vi.unstubAllEnvs();
  }
  throw new Error(`${words.join(" ")} was not refused`);
}
