import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";

export const PAGES = join(import.meta.dirname, "../../docs/self-host");

/** What starts one part: its command, its environment, and the command that checks whether it is well. */
export type Part = { command: string[]; environment: Record<string, string>; health: string[] };
export type Machine = { folder: string; place: (text: string) => string };

/** What a unit of systemd starts, and with what. */
export async function unit({ folder, place }: Machine, name: string): Promise<Part> {
  const text = place(await readFile(join(PAGES, name), "utf8"));
  const all = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value);
  const [command = "", health = "", file = "", state = ""] = [
    "ExecStart",
    "ExecStartPost",
    "EnvironmentFile",
    "StateDirectory",
  ].flatMap((key) => {
    const values = all(key);
    expect(values, key).toHaveLength(1);
    return values;
  });
  const environment = Object.fromEntries([...all("Environment").map(pairOf), ...(await pairsIn(file))]);
  return {
    command: command.split(" "),
    environment: { ...environment, STATE_DIRECTORY: await made(join(folder, "lib", state)) },
    health: health.split(" "),
  };
}

/** What a service of the compose file starts, and with what. */
export async function service({ folder, place }: Machine, name: string): Promise<Part> {
  const text = place(await readFile(join(PAGES, "compose.yaml"), "utf8"));
  const [, own = ""] = text.split(`\n  ${name}:\n`);
  const lines = own.split(/\n(?! {4})/)[0] ?? "";
  const list = (key: string): string[] =>
    JSON.parse(new RegExp(`${key}: (\\[[^\\]]*\\])`).exec(lines)?.[1] ?? "[]");
  const [file = ""] = list("env_file");
  const pairs = [...(/(?<=environment: \{ ).*(?= \})/.exec(lines)?.[0].matchAll(/(\w+): "([^"]*)"/g) ?? [])];
  const environment = Object.fromEntries(pairs.map(([, key, value]) => [key, value]));
  for (const volume of ["sqld", "company-operations"]) await made(join(folder, "lib", volume));
  const [, ...health] = list("test");
  return {
    command: [...list("entrypoint"), ...list("command")].map(place),
    environment: { ...Object.fromEntries(await pairsIn(join(folder, "etc", file))), ...environment },
    health,
  };
}

const pairOf = (line: string): [string, string] => {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
};
const pairsIn = async (file: string) => (await readFile(file, "utf8")).trim().split("\n").map(pairOf);
const made = async (folder: string) => {
  await mkdir(folder, { recursive: true });
  return folder;
};
