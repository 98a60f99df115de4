import { MINUTE_MS } from "#shared/time/durations.ts";
import { again } from "./again.ts";
import { demoCredentials, demoKeyOf } from "./credentials.ts";
import { FIRST_MIGRATION, NO_TABLES, saidOf } from "./doctor/readiness.ts";
import { Failure, printable } from "./failure.ts";

/** `timeoutMs`: how long one request may take, where a minute is too short. */
type HostArguments = { url?: string | undefined; timeoutMs?: number };
export type PlatformArguments = HostArguments & { "platform-token"?: string | undefined };
type KeyArguments = HostArguments & {
  company?: string | undefined;
  "client-id"?: string | undefined;
  "client-secret"?: string | undefined;
};
type Paged<Row> = { data: Row[]; paging: { next_cursor: string | null } };

const TIMEOUT_MS = MINUTE_MS;
const ADVICE: Record<number, string> = {
  401: "check the key's id and secret, or the platform token",
  404: "check the address (--url), the company's slug and, for platform commands, --platform-token",
};
const NO_KEY = "check the key's id: company-ops key list shows those of the company";

/** Calls a platform operation. Throws a Failure of one line. */
export async function callPlatform<Data>(
  args: PlatformArguments,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  return (await platform<{ data: Data }>(args, method, path, bearer(args), body)).data;
}

/**
 * Sends a write that is done once, however often it has to be sent until an answer comes: with one Idempotency-Key, so
 * that a lost answer is given again, with the secret that it shows.
 */
export async function callOnce<Data>(args: PlatformArguments, path: string, body?: unknown): Promise<Data> {
  const headers = { ...bearer(args), "Idempotency-Key": crypto.randomUUID() };
  return (await again(() => platform<{ data: Data }>(args, "POST", path, headers, body))).data;
}

/** Calls an operation that may be sent again, and sends it again while that may help. */
export function callAgain<Data>(...call: Parameters<typeof callPlatform>): Promise<Data> {
  return again(() => callPlatform<Data>(...call));
}

/** Every record of a platform list, or those that its query parameters ask for. */
export async function listPlatform<Row>(
  args: PlatformArguments,
  path: string,
  query: Record<string, string> = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const place: Record<string, string> = cursor === "" ? {} : { cursor };
    const asked = new URLSearchParams({ limit: "100", ...query, ...place });
    const page: Paged<Row> = await again(() => platform(args, "GET", `${path}?${asked}`, bearer(args)));
    rows.push(...page.data);
    cursor = page.paging.next_cursor;
  }
  return rows;
}

/** Calls an operation on the keys of a company, signed by a key of it. */
export async function callKeys<Data>(
  args: KeyArguments,
  method: string,
  path = "",
  body?: unknown,
): Promise<Data> {
  const given = args["client-id"] ?? process.env.COMPANY_OPS_CLIENT_ID;
  const secret = args["client-secret"] ?? process.env.COMPANY_OPS_CLIENT_SECRET;
  const company = required(args.company ?? demoCredentials().company, "--company");
  // An id without its secret must not be completed by another key's.
  const key = given === undefined && secret === undefined ? demoKeyOf(company) : undefined;
  const headers = {
    "X-Client-Id": required(given ?? key?.client_id, "--client-id", "COMPANY_OPS_CLIENT_ID"),
    "X-Client-Secret": required(secret ?? key?.client_secret, "--client-secret", "COMPANY_OPS_CLIENT_SECRET"),
  };
  const address = `/v1/settings/${encodeURIComponent(company)}/keys${path}`;
  return (await request<{ data: Data }>(args, method, address, headers, body)).data;
}

/** Writes a record as JSON, for scripts; a terminal that shows it is not steered by what it says. */
export function print(data: unknown): void {
  const json = JSON.stringify(data, null, 2);
  process.stdout.write(`${json.split("\n").map(printable).join("\n")}\n`);
}

/** The address that a command calls: of its option, its variable, or the sandbox. */
export function addressOf({ url }: HostArguments): string {
  const base = url ?? process.env.COMPANY_OPS_URL ?? demoCredentials().base_url ?? "http://localhost:8787";
  return webAddress("--url", base, "https://api.example.com");
}

/** The address, when it is one of the web; else throws a Failure that names the option and an example. */
export function webAddress(option: string, address: string, example: string): string {
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address;
  if (!address.includes("://") && URL.canParse(`http://${address}`))
    throw new Failure(`${option} ${address} has no scheme: write http://${address}, or https://`);
  throw new Failure(`${option} ${address} is no address: give one such as ${example}`);
}

/** The operator's credentials, and those of a Cloudflare Access in front; throws when no token is given. */
export function bearer(args: PlatformArguments): Record<string, string> {
  const { PLATFORM_TOKEN, ACCESS_CLIENT_ID, ACCESS_CLIENT_SECRET } = process.env;
  const token = args["platform-token"] ?? PLATFORM_TOKEN ?? demoCredentials().platform_token;
  return {
    Authorization: `Bearer ${required(token, "--platform-token", "PLATFORM_TOKEN")}`,
    // https://developers.cloudflare.com/cloudflare-one/access-controls/service-credentials/service-tokens/
    ...(ACCESS_CLIENT_ID ? { "CF-Access-Client-Id": ACCESS_CLIENT_ID } : {}),
    ...(ACCESS_CLIENT_SECRET ? { "CF-Access-Client-Secret": ACCESS_CLIENT_SECRET } : {}),
  };
}

/** Makes a call with the operator's rights; after a fault it names that of the control database, where that is the cause. */
async function platform<Answer>(...call: Parameters<typeof request>): Promise<Answer> {
  try {
    return await request<Answer>(...call);
  } catch (error) {
    const [args, , , headers] = call;
    if (!(error instanceof Failure) || (error.status !== 500 && error.status !== 503)) throw error;
    const fault = await controlFault(args, headers);
    throw fault === undefined ? error : new Failure(fault, error.isFinal, error.status);
  }
}

/** What is wrong with the control database and what to do, as the doctor says it; undefined where it is well. */
async function controlFault(
  args: HostArguments,
  headers: Record<string, string>,
): Promise<string | undefined> {
  const read = <Data>(path: string) =>
    request<{ data: Data }>(args, "GET", path, headers).then(
      ({ data }) => data,
      () => undefined,
    );
  const migrations = await read<{ missing: string[] }>("/platform/migrations");
  const readiness =
    migrations === undefined ? await read<{ faults: string[] }>("/platform/readiness") : undefined;
  const [fault] = readiness?.faults ?? [];
  if (fault !== undefined) return saidOf(fault).join(": ");
  if (migrations?.missing.includes(FIRST_MIGRATION)) return NO_TABLES;
  const missing = migrations?.missing.length ?? 0;
  return missing === 0
    ? undefined
    : `The control database lacks ${missing} migrations: run company-ops migrate`;
}

async function request<Answer>(
  args: HostArguments,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const url = new URL(path, addressOf(args));
  const response = await fetch(url, {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    signal: AbortSignal.timeout(args.timeoutMs ?? TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Failure(`${url.origin} does not answer: is it running (npm start), and is --url right?`, false);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as Answer;
  throw refusal(response.status, answer, url);
}

function refusal(status: number, answer: unknown, url: URL): Failure {
  const { code, message, request_id: requestId } = Object(answer) as Record<string, string>;
  if (code === undefined)
    return new Failure(`${url.origin} answered ${status}, and not as this API does: check --url`);
  const text = code === "not_found" && url.pathname.includes("/keys/") ? NO_KEY : ADVICE[status];
  const advice = text === undefined ? "" : `: ${text}`;
  const isFinal = status !== 503 && code !== "idempotency_key_in_use";
  return new Failure(`${code}: ${message} (${requestId})${advice}`, isFinal, status);
}

function required(value: string | undefined, option: string, variable?: string): string {
  if (value !== undefined && value !== "") return value;
  const set = variable === undefined ? "" : ` set ${variable},`;
  throw new Failure(`${option} is missing: give it,${set} or run npm start here`);
}
