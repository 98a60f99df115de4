import { demoCredentials } from "./credentials.ts";
import { Failure } from "./failure.ts";

type HostArguments = { url?: string | undefined };
type PlatformArguments = HostArguments & { "platform-token"?: string | undefined };
type KeyArguments = HostArguments & {
  company?: string | undefined;
  "client-id"?: string | undefined;
  "client-secret"?: string | undefined;
};
type Paged<Row> = { data: Row[]; paging: { next_cursor: string | null } };

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;
const ADVICE: Record<number, string> = {
  401: "check the key's id and secret, or the platform token",
  404: "check the address (--url), the company's slug and, for platform commands, --platform-token",
};

const hostOptions = {
  url: {
    type: "string",
    description: "Address of the host, or COMPANY_OPS_URL",
    valueHint: "https://api.example.com",
  },
} as const;
export const platformOptions = {
  ...hostOptions,
  "platform-token": { type: "string", description: "PLATFORM_TOKEN of the service, or that variable" },
} as const;
export const keyOptions = {
  ...hostOptions,
  company: { type: "string", description: "The company's slug" },
  "client-id": { type: "string", description: "A key that may do this, or COMPANY_OPS_CLIENT_ID" },
  "client-secret": { type: "string", description: "Its secret, or COMPANY_OPS_CLIENT_SECRET" },
} as const;

/** Calls a platform operation. Throws a Failure of one line. */
export async function callPlatform<Data>(
  args: PlatformArguments,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  return (await request<{ data: Data }>(args, method, path, bearer(args), body)).data;
}

/**
 * Sends a write that is done once, however often it has to be sent until an answer comes: with one Idempotency-Key, so
 * that a lost answer is given again, with the secret that it shows.
 */
export async function callOnce<Data>(args: PlatformArguments, path: string, body?: unknown): Promise<Data> {
  const headers = { ...bearer(args), "Idempotency-Key": crypto.randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await request<{ data: Data }>(args, "POST", path, headers, body)).data;
    } catch (error) {
      if ((error instanceof Failure && error.isFinal) || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}

/** Every record of a platform list. */
export async function listPlatform<Row>(args: PlatformArguments, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Paged<Row> = await request(args, "GET", `${path}?limit=100${query}`, bearer(args));
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
  const key = given === undefined && secret === undefined ? demoCredentials().secret_key : undefined;
  const headers = {
    "X-Client-Id": required(given ?? key?.client_id, "--client-id"),
    "X-Client-Secret": required(secret ?? key?.client_secret, "--client-secret"),
  };
  const address = `/v1/settings/${encodeURIComponent(company)}/keys${path}`;
  return (await request<{ data: Data }>(args, method, address, headers, body)).data;
}

/** Writes a record as JSON, for scripts. */
export function print(data: unknown): void {
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
}

/** The address that a command calls: of its option, its variable, or the sandbox. */
export function addressOf({ url }: HostArguments): string {
  const base = url ?? process.env.COMPANY_OPS_URL ?? demoCredentials().base_url ?? "http://localhost:8787";
  if (URL.canParse(base)) return base;
  throw new Failure(`--url ${base} is no address: give one such as https://api.example.com`);
}

/** What lets whoever runs the service in; throws when no token is given. */
export function bearer(args: PlatformArguments): Record<string, string> {
  const token = args["platform-token"] ?? process.env.PLATFORM_TOKEN ?? demoCredentials().platform_token;
  return { Authorization: `Bearer ${required(token, "--platform-token")}` };
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
    signal: AbortSignal.timeout(TIMEOUT_MS),
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
  const advice = ADVICE[status] === undefined ? "" : `: ${ADVICE[status]}`;
  if (code === undefined)
    return new Failure(`${url.origin} answered ${status}, and not as this API does: check --url`);
  const isFinal = status !== 503 && code !== "idempotency_key_in_use";
  return new Failure(`${code}: ${message} (${requestId})${advice}`, isFinal);
}

function required(value: string | undefined, option: string): string {
  if (value !== undefined && value !== "") return value;
  throw new Failure(`${option} is missing: give it, set its variable, or run npm start here`);
}
