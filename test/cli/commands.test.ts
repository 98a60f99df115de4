import type { CommandDef } from "citty";
import { expect, test } from "vitest";
import { main } from "#cli/commands.ts";

/** Every command that does something, by its words. */
function commandsOf(command: CommandDef, path: string[] = []): [string, CommandDef][] {
  const inner = command.subCommands as Record<string, CommandDef> | undefined;
  if (inner === undefined) return [[path.join(" "), command]];
  return Object.entries(inner).flatMap(([name, one]) => commandsOf(one, [...path, name]));
}

test.each(commandsOf(main))("%s takes --json", (_, { args }) => {
  expect(args).toMatchObject({ json: { type: "boolean" } });
});
