import { Failure } from "../failure.ts";
import type { Source } from "./header.ts";
import { hasMasterKey, open } from "./seals.ts";
import { type Address, Stream } from "./stream.ts";
import type { Value } from "./values.ts";
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
export async function companyDatabase(slug: string): Promise<Found> {
  const control = new Stream(controlDatabase().address);
  try {
    const [row] = await control.all(
      `SELECT name, country, currency, timezone, database_url, database_token FROM companies
      WHERE slug = ? AND database_url IS NOT NULL`,
      [slug],
    );
    if (row === undefined) throw new Failure(`There is no company ${slug}`);
    const [name = "", country = "", currency = "", timezone = "", url = "", sealed = ""] = row.map(textOf);
    const company = { slug, name, country, currency, timezone };
    const token = variable("SQLD_DATABASE_TOKEN") ?? ownToken(slug, sealed);
    return { source: { control: false, company }, address: { url, token } };
  } finally {
    await control.end();
  }
}

/** Throws a Failure where the control database has a company of this slug, which must not be filled from a backup. */
export async function refuseTaken(slug: string): Promise<void> {
  const { address } = controlDatabase();
  const [found] = await reading(address, (control) =>
    control.all("SELECT status FROM companies WHERE slug = ? AND database_url IS NOT NULL", [slug]),
  );
  if (found === undefined) return;
  const [status = null] = found;
  if (status !== "suspended")
    throw new Failure(`The slug ${slug} is taken: a restore opens a new company, so give another with --as`);
  throw new Failure(
    `The slug ${slug} is taken by a suspended company, such as a restore leaves that was ended half-way; no company can be removed, so restore under another slug with --as`,
  );
}

/** Reads from one database, and ends its stream whatever comes. */
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

function ownToken(slug: string, sealed: string): string {
  if (!hasMasterKey())
    throw new Failure(
      "SQLD_DATABASE_TOKEN is missing, and MASTER_KEY too, which opens the company's own token",
    );
  return open(slug, "database_token", sealed);
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
