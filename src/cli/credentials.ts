import { existsSync, readFileSync } from "node:fs";
import { Failure } from "./failure.ts";

type Credentials = {
  base_url: string;
  platform_token: string;
  company: string;
  secret_key: Key;
  /** By the company's slug. */
  admin_keys: Record<string, Key>;
  worker: DatabaseVariables;
};
/** What the Worker opens databases and secrets with. */
export type DatabaseVariables = Record<
  "CONTROL_DATABASE_URL" | "CONTROL_DATABASE_TOKEN" | "SQLD_DATABASE_TOKEN" | "MASTER_KEY",
  string
>;
type Key = { client_id: string; client_secret: string };

let told = false;

/** What `npm start` wrote for the command line, if it did. It is read when needed, and a line says so to the user. */
export function demoCredentials(): Partial<Credentials> {
  const path = `${process.env.DATA_DIR ?? ".data"}/credentials.json`;
  if (!existsSync(path)) return {};
  if (!told) process.stderr.write(`(by ${path}, of the sandbox)\n`);
  told = true;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Failure(`${path} cannot be read as JSON: start the sandbox again, which writes it anew`);
  }
}

/** The sandbox's key of this company. Throws a Failure where the sandbox has keys of others alone. */
export function demoKeyOf(company: string): Key | undefined {
  const { company: own, secret_key: key, admin_keys: others = {} } = demoCredentials();
  const found = Object.hasOwn(others, company) ? others[company] : undefined;
  if (found !== undefined || key === undefined) return found;
  if (own === company) return key;
  throw new Failure(`This key belongs to ${own}: give --client-id and --client-secret of ${company}`);
}
