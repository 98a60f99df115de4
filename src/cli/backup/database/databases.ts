import type { ProvisionerVariables } from "#tenancy/provision/index.ts";
import { again } from "../../again.ts";
import { NO_TABLES, saidOf } from "../../doctor/readiness.ts";
import { Failure, lineOf } from "../../failure.ts";
import type { Row, Value } from "../dump/values.ts";
import type { Source } from "../file/header.ts";
import { decrypt, hasMasterKey, refuseForeign } from "./secret-kinds.ts";
import { type Address, Stream } from "./stream.ts";
import { variable } from "./variables.ts";

type Found = { source: Source; address: Address };

/** The control database, by CONTROL_DATABASE_URL and CONTROL_DATABASE_TOKEN. */
export function controlDatabase(): Found {
  const url = required("CONTROL_DATABASE_URL");
  if (!/^(?:https?|libsql):\/\//.test(url) || !URL.canParse(url))
    throw new Failure(
      `CONTROL_DATABASE_URL ${url} is no address: give one such as https://control.db.example.com/`,
    );
  return { source: { control: true }, address: { url, token: required("CONTROL_DATABASE_TOKEN") } };
}

/**
 * A company's database, as the control database names it. It is opened by SQLD_DATABASE_TOKEN or else by its own token,
 * which MASTER_KEY opens.
 */
export async function companyDatabase(slug: string): Promise<Found & { token: string }> {
  const row = await companyRow(slug, "name, country, currency, timezone, database_url, database_token");
  const [name = "", country = "", currency = "", timezone = "", url = "", encrypted = ""] = row.map(textOf);
  const company = { slug, name, country, currency, timezone };
  return { source: { control: false, company }, address: addressOf(slug, url, encrypted), token: encrypted };
}

/**
 * The same, where it is in its place, and a key at hand opens what the service encrypts. Throws a Failure where another
 * database has its place, as the company's own says.
 */
export async function ownDatabase(slug: string): Promise<Found> {
  const { token: encrypted, ...found } = await companyDatabase(slug);
  refuseForeign([encrypted]);
  const by = await readingAgain(found.address, replacedBy);
  if (by !== null)
    throw new Failure(
      `The database of ${slug} was replaced by ${by}: \`company-ops adopt\` puts that in its place, and --database ${by} backs it up`,
    );
  return found;
}

/**
 * A company's database of this name, in its place or not: where the control database knows it, or else where the service's
 * variables place it. Whose it is says its own copy.
 */
export async function databaseNamed(name: string): Promise<Found> {
  const address = (await knownAddress(name)) ?? (await placedAddress(name));
  const [row] = await readingAgain(address, (stream) =>
    stream.all("SELECT slug, name, country, currency, timezone FROM company_copy"),
  );
  if (row === undefined) throw new Failure(`The database ${name} does not say which company it is of`);
  const [slug = "", said = "", country = "", currency = "", timezone = ""] = row.map(textOf);
  return {
    source: { control: false, company: { slug, name: said, country, currency, timezone } },
    address,
  };
}

async function knownAddress(name: string): Promise<Address | undefined> {
  const [row] = await readingControl((control) =>
    control.all(
      `SELECT slug, iif(spare_database_name = ?1, spare_database_url, database_url),
        iif(spare_database_name = ?1, spare_database_token, database_token) FROM companies
      WHERE database_name = ?1 OR spare_database_name = ?1`,
      [name],
    ),
  );
  const [slug = "", url = "", encrypted = ""] = (row ?? []).map(textOf);
  return url === "" ? undefined : addressOf(slug, url, encrypted);
}

async function placedAddress(name: string): Promise<Address> {
  const { provisionerOf } = await import("#tenancy/provision/index.ts");
  const env = process.env as Partial<ProvisionerVariables>;
  const provider = env.DATABASE_PROVIDER ?? "sqld";
  try {
    const { url, token } = await provisionerOf({ ...env, DATABASE_PROVIDER: provider }).address(name);
    return { url, token: variable("SQLD_DATABASE_TOKEN") ?? token };
  } catch (error) {
    throw new Failure(
      `The control database does not know the database ${name}, and the service's variables do not place it: ${lineOf(error)}`,
    );
  }
}

/** The control database. Throws a Failure where no key at hand opens the token of any company. */
export async function ownControlDatabase(): Promise<Found> {
  if (hasMasterKey()) await openSlugs();
  return controlDatabase();
}

/** The slugs of the companies that are not closed. Throws a Failure where no key at hand opens the token of any. */
export async function openSlugs(): Promise<string[]> {
  const rows = await readingControl((control) =>
    control.all(
      `SELECT slug, database_token FROM companies
      WHERE database_url IS NOT NULL AND closed_at IS NULL AND status <> 'provisioning' ORDER BY slug`,
    ),
  );
  refuseForeign(rows.flatMap(([, token = null]) => (token === null ? [] : [String(token)])));
  return rows.map(([slug = null]) => textOf(slug));
}

async function replacedBy(stream: Stream): Promise<string | null> {
  const there = await stream.all("SELECT 1 FROM sqlite_schema WHERE name = 'database_generation'");
  if (there.length === 0) return null;
  const [[by = null] = []] = await stream.all("SELECT replaced_by FROM database_generation");
  return by === null ? null : String(by);
}

/** A company's spare database, as the control database names it. */
export async function spareDatabase(slug: string): Promise<Address> {
  const row = await companyRow(slug, "spare_database_url, spare_database_token");
  const [url = "", encrypted = ""] = row.map(textOf);
  if (url === "") throw new Failure(`${slug} has no spare database in this control database`);
  return addressOf(slug, url, encrypted);
}

/** Whether the company is suspended. Throws a Failure where there is none. */
export async function suspended(slug: string): Promise<boolean> {
  const [status = null] = await companyRow(slug, "status");
  return status === "suspended";
}

async function companyRow(slug: string, columns: string): Promise<Row> {
  const [row] = await readingControl((control) =>
    control.all(`SELECT ${columns} FROM companies WHERE slug = ? AND database_url IS NOT NULL`, [slug]),
  );
  if (row === undefined) throw new Failure(`There is no company ${slug}`);
  return row;
}

function addressOf(slug: string, url: string, encrypted: string): Address {
  return { url, token: variable("SQLD_DATABASE_TOKEN") ?? ownToken(slug, encrypted) };
}

/** Throws a Failure where the control database has a company of this slug, which must not be filled from a backup. */
export async function refuseTaken(slug: string): Promise<void> {
  const [found] = await readingControl((control) =>
    control.all("SELECT status FROM companies WHERE slug = ? AND database_url IS NOT NULL", [slug]),
  );
  if (found === undefined) return;
  const [status = null] = found;
  if (status !== "suspended")
    throw new Failure(`The slug ${slug} is taken: a restore opens a new company, so give another with --as`);
  throw new Failure(
    `The slug ${slug} is taken by a suspended company, such as a restore leaves that was ended half-way; no company can be removed, so restore under another slug with --as. A backup of ${slug} itself: --into ${slug}`,
  );
}

/** Reads from the control database. Throws a Failure that says what to do where its files or its namespace are gone. */
async function readingControl<Result>(read: (stream: Stream) => Promise<Result>): Promise<Result> {
  try {
    return await readingAgain(controlDatabase().address, read);
  } catch (error) {
    const line = lineOf(error);
    if (/no such table: companies/.test(line)) throw new Failure(NO_TABLES);
    if (/Namespace .* doesn't exist/.test(line))
      throw new Failure(saidOf("control_database_missing").join(": "));
    throw error;
  }
}

/** Reads from one database; anew, with a new stream, while that may help, as where its server is started anew. */
export function readingAgain<Result>(
  address: Address,
  read: (stream: Stream) => Promise<Result>,
): Promise<Result> {
  return again(() => reading(address, read));
}

/** Reads from one database or writes to it, and ends the stream whatever comes. */
export async function reading<Result>(
  address: Address,
  read: (stream: Stream) => Promise<Result>,
): Promise<Result> {
  const stream = new Stream(address);
  try {
    return await read(stream);
  } finally {
    await stream.end();
  }
}

function ownToken(slug: string, encrypted: string): string {
  if (!hasMasterKey())
    throw new Failure(
      "SQLD_DATABASE_TOKEN is missing, and MASTER_KEY too, which opens the company's own token",
    );
  return decrypt(slug, "database_token", encrypted);
}

function textOf(cell: Value): string {
  return cell === null ? "" : String(cell);
}

function required(name: "CONTROL_DATABASE_URL" | "CONTROL_DATABASE_TOKEN"): string {
  const value = variable(name);
  if (value === undefined)
    throw new Failure(`${name} is missing: this command opens the databases themselves, as the Worker does`);
  return value;
}
