import { counted } from "#shared/text/counted.ts";
import { Failure } from "../failure.ts";
import { webAddress } from "../request.ts";
import { type Answer, ask, problemOf } from "./ask.ts";
import { type Report, Wrong } from "./report.ts";

/** Where a self-hosted sqld is, as far as it was given. */
export type Sqld = {
  /** As SQLD_DATABASE_URL, with `{namespace}`. */
  url?: string | undefined;
  /** As CONTROL_DATABASE_URL. */
  controlUrl?: string | undefined;
  token?: string | undefined;
  adminUrl?: string | undefined;
  adminKey?: string | undefined;
  /** Of --max-active-namespaces. */
  activeNamespaces: number;
};

/** An address of sqld, and the namespace of the control database there. */
type Place = { url: string; control: string };

// The bytes of the largest page, less a little; sent as hexadecimal, which has two digits a byte.
const LIST_BYTES = 4_000_000;
const SIZE = `SELECT hex(zeroblob(${LIST_BYTES / 2}))`;
const EXAMPLE = "https://{namespace}.db.example.com/";
const REACH = "does it run, and does this machine reach that port?";
const CONTROL = "control";
const PLACE = "{namespace}";
const ADDRESS =
  "is SQLD_DATABASE_URL right, with {namespace} where the name stands, and does the proxy pass the Host on?";

/** Throws a Failure for options of sqld that cannot be right; sends no request. */
export function refuseUnusable({ url, adminUrl, activeNamespaces: most }: Sqld): void {
  if (url !== undefined) {
    webAddress("SQLD_DATABASE_URL", url.replace(PLACE, CONTROL), EXAMPLE);
    if (!url.includes(PLACE))
      throw new Failure(`SQLD_DATABASE_URL ${url} has no {namespace}: write it as ${EXAMPLE}`);
  }
  if (adminUrl !== undefined) webAddress("SQLD_ADMIN_URL", adminUrl, "http://127.0.0.1:8081");
  if (!Number.isInteger(most) || most < 1)
    throw new Failure("--sqld-active-namespaces must be a whole number above 0, as sqld was given");
}

/** Checks a self-hosted sqld from outside; `companies` is how many there are, where that is known. */
export async function checkSqld(report: Report, sqld: Sqld, companies: number | undefined): Promise<void> {
  const { url, token, adminUrl, adminKey } = sqld;
  const control = controlNamespace(sqld);
  if (url !== undefined) {
    const place = { url: url.replace(PLACE, control), control };
    await report.check("data port", (signal) => dataPort(place, signal));
    if (token !== undefined)
      await report.check("response size", (signal) => responseSize(place, token, signal));
    if (companies !== undefined)
      await report.check("active namespaces", async () => activeNamespaces(sqld.activeNamespaces, companies));
  }
  if (adminUrl === undefined) return;
  await report.check("admin port", (signal) => adminPort({ url: adminUrl, control }, signal));
  if (adminKey !== undefined)
    await report.check("admin key", (signal) => adminAccess({ url: adminUrl, control }, adminKey, signal));
}

/** The namespace that CONTROL_DATABASE_URL names: another than at first, once the control database was restored. */
function controlNamespace({ url, controlUrl }: Sqld): string {
  const [before, after] = (url ?? "").replace(/\/$/, "").split(PLACE);
  const bare = controlUrl?.replace(/\/$/, "");
  if (before === undefined || after === undefined || bare === undefined) return CONTROL;
  const name = bare.slice(before.length, bare.length - after.length);
  return /^[\w-]+$/.test(name) && `${before}${name}${after}` === bare ? name : CONTROL;
}

async function dataPort(place: Place, signal: AbortSignal): Promise<string> {
  for (const token of [undefined, "no-token"]) {
    const { status } = await query(place, token, "SELECT 1", signal);
    if (status === 200)
      throw new Wrong(
        "it answers 200 without a token: every company's data is open",
        "start sqld with --auth-jwt-key-file (`company-ops database-key` makes it)",
      );
    if (status === 404) throw new Wrong(`it answers 404: ${notThere(place)}`, ADDRESS);
    if (status !== 401)
      throw new Wrong(
        `it answers ${status} without a token, where sqld answers 401`,
        "is SQLD_DATABASE_URL the address of --http-listen-addr?",
      );
  }
  return "it refuses a call without a token";
}

async function responseSize(place: Place, token: string, signal: AbortSignal): Promise<string> {
  const answer = await query(place, token, SIZE, signal);
  if (answer.status === 401)
    throw new Wrong("sqld refuses SQLD_DATABASE_TOKEN", "is it of the key in --auth-jwt-key-file?");
  if (answer.status === 404) throw new Wrong(notThere(place), ADDRESS);
  if (answer.status === 200 && answer.text.length > LIST_BYTES) return "4 MB, as large as lists get, pass";
  throw new Wrong(
    `an answer of 4 MB does not pass (${answer.status})`,
    "start sqld with --max-response-size 10MB, its default",
  );
}

function activeNamespaces(most: number, companies: number): string {
  // The control database, and a company that is being opened.
  const needed = companies + 2;
  if (needed <= most) return `${most} are enough for ${counted(companies, "company", "companies")}`;
  throw new Wrong(
    `${most} are too few for ${counted(companies, "company", "companies")}: calls meet databases that are being closed`,
    `start sqld with --max-active-namespaces ${2 * needed} and ulimit -n ${10 * needed + 200}, and give it as --sqld-active-namespaces`,
  );
}

async function adminPort(admin: Place, signal: AbortSignal): Promise<string> {
  const { status } = await config(admin, undefined, signal);
  if (status === 401) return "it refuses a call without a key";
  throw new Wrong(
    `it answers ${status} without a key: anyone who reaches it deletes databases`,
    "start sqld with the variable LIBSQL_ADMIN_AUTH_KEY, and keep that port private",
  );
}

async function adminAccess(admin: Place, key: string, signal: AbortSignal): Promise<string> {
  const answer = await config(admin, key, signal);
  if (answer.status === 200) return "accepted";
  if (answer.status === 401)
    throw new Wrong(
      "sqld refuses it",
      "SQLD_ADMIN_TOKEN is what sqld has as LIBSQL_ADMIN_AUTH_KEY, as it stands",
    );
  if (answer.status === 404) return `accepted; there is no namespace ${admin.control}`;
  throw new Wrong(problemOf(answer), "is SQLD_ADMIN_URL the address of --admin-listen-addr?");
}

function notThere({ control }: Place): string {
  return `there is no namespace ${control}, or the address names another`;
}

function query({ url }: Place, token: string | undefined, sql: string, signal: AbortSignal): Promise<Answer> {
  return ask("POST", new URL("v2/pipeline", url.replace(/\/?$/, "/")), REACH, {
    signal,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: { requests: [{ type: "execute", stmt: { sql } }, { type: "close" }] },
  });
}

function config(
  { url: admin, control }: Place,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(`v1/namespaces/${control}/config`, admin.replace(/\/?$/, "/"));
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Basic ${key}` };
  return ask("GET", url, REACH, { headers, signal });
}
