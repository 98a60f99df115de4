import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.ts";
import { callPlatform, type PlatformArguments } from "./request.ts";

type Adoption = { databases: { name: string }[] | null };

const NAME = /^[\w-]{1,64}$/;
// Where sqld keeps a folder for each namespace, below its own.
const PLACES = ["dbs", "data/dbs", "data.sqld/dbs"];

/**
 * The names of all databases: of a data folder of sqld, of Turso as the service asks it, or of a file with a name on each
 * line. Throws a Failure where `from` is none of these.
 */
export async function databaseNames(args: PlatformArguments, from: string): Promise<string[]> {
  if (from === "turso") return ofProvider(args);
  if (!existsSync(from))
    throw new Failure(`${from} is not there: give --from sqld's data folder, a file of names, or turso`);
  const names = statSync(from).isDirectory() ? ofFolder(from) : readFileSync(from, "utf8").split("\n");
  const found = names.map((name) => name.trim()).filter((name) => name !== "");
  const wrong = found.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw new Failure(`"${wrong}" in ${from} is no name of a database`);
  return [...new Set(found)].toSorted();
}

async function ofProvider(args: PlatformArguments): Promise<string[]> {
  const { databases } = await callPlatform<Adoption>(args, "GET", "/platform/adoption");
  if (databases === null)
    throw new Failure("The service's databases are on sqld, which lists none: give --from its data folder");
  return databases.map(({ name }) => name);
}

function ofFolder(folder: string): string[] {
  const place = PLACES.map((path) => join(folder, path)).find((path) => existsSync(path));
  if (place === undefined) throw new Failure(`${folder} is no data folder of sqld: it has no dbs in it`);
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
