import type { ArgDef, CommandDef } from "citty";
import { likelyWord } from "#shared/text/nearest-word.ts";
import { Failure } from "./failure.ts";

/** A command, the words that lead to it, and those that it is given. */
export type Asked = { command: CommandDef; path: string[]; rest: string[] };

type Options = Record<string, ArgDef>;

/** The command that the words lead to. Throws a Failure where they name none, or an option stands before it. */
export function commandOf(main: CommandDef, words: string[]): Asked {
  let asked: Asked = { command: main, path: ["company-ops"], rest: words };
  for (let inner = subCommandsOf(asked); inner !== undefined; inner = subCommandsOf(asked)) {
    const [name, ...rest] = asked.rest;
    if (name === undefined || isHelp(name)) return asked;
    if (name.startsWith("-")) throw new Failure(`${name} stands before the command: options stand after it`);
    const command = Object.hasOwn(inner, name) ? inner[name] : undefined;
    if (command === undefined) throw new Failure(`${name} is no command: ${meant(name, Object.keys(inner))}`);
    asked = { command, path: [...asked.path, name], rest };
  }
  return asked;
}

/** Throws a Failure where a word is no option of the command, has no value, or is one too many: citty ignores those. */
export function refuseUnknown({ command, rest }: Asked): void {
  const options = (command.args ?? {}) as Options;
  let places = Object.values(options).filter(({ type }) => type === "positional").length;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? "";
    if (!word.startsWith("-")) {
      if (places === 0) throw new Failure(`"${word}" is one word too many`);
      places -= 1;
    } else if (takesValue(word, options)) {
      at += 1;
      const value = rest[at];
      if (value === undefined || isOption(value, options)) throw new Failure(`${word} needs a value`);
    }
  }
}

/** Whether this word asks for help. */
export function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function meant(name: string, names: readonly string[]): string {
  const likely = likelyWord(name, names);
  return likely === undefined ? `there are ${names.join(", ")}` : `is ${likely} meant?`;
}

function takesValue(word: string, options: Options): boolean {
  if (!isOption(word, options)) {
    const [written = ""] = word.replace(/^-+/, "").split("=");
    const likely = likelyWord(written, namesOf(options));
    throw new Failure(
      `${word} is no option of this command${likely === undefined ? "" : `: is --${likely} meant?`}`,
    );
  }
  return !word.includes("=") && options[word.slice(2)]?.type !== "boolean";
}

function isOption(word: string, options: Options): boolean {
  const [written = ""] = word.split("=");
  return namesOf(options).some((name) => written === `--${name}`);
}

function namesOf(options: Options): string[] {
  return Object.keys(options).filter((name) => options[name]?.type !== "positional");
}

// All of ours are literals, where citty takes functions and promises too.
function subCommandsOf({ command }: Asked): Record<string, CommandDef> | undefined {
  return command.subCommands as Record<string, CommandDef> | undefined;
}
