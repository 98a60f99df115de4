import { existsSync, readFileSync } from "node:fs";

type Credentials = {
  base_url: string;
  platform_token: string;
  company: string;
  secret_key: { client_id: string; client_secret: string };
};

/** Seconds within which the service answers a call, else it is given up. */
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;

// `npm start` leaves these, so that everything works against the demo without an argument.
export const demo: Partial<Credentials> = readDemo(`${process.env.DATA_DIR ?? ".data"}/credentials.json`);

/** The option that names the service. */
export const hostOptions = {
  url: { type: "string", description: "Address of the host", valueHint: "https://api.example.com" },
} as const;

/** The options of a command of whoever runs the service. */
export const platformOptions = {
  ...hostOptions,
  "platform-token": { type: "string", description: "PLATFORM_TOKEN of the service, or that variable" },
} as const;

export type PlatformArguments = { url?: string | undefined; "platform-token"?: string | undefined };
type Headers_ = Record<string, string>;
type Sent = { headers: Headers_; body?: unknown };

/** The address that a command calls: of its option, its variable, or the demo. */
export function addressOf(url: string | undefined): string {
  return url ?? process.env.COMPANY_OPS_URL ?? demo.base_url ?? "http://localhost:8787";
}

/** The `data` of the answer to a platform operation; throws the API's error as one line. */
export async function callPlatform<Data>(
  args: PlatformArguments,
  method: string,
  path: string,
  { headers = {}, body }: Partial<Sent> = {},
): Promise<Data> {
  const answer = await request<{ data: Data }>(args.url, method, path, {
    headers: { ...bearer(args), ...headers },
    body,
  });
  return answer.data;
}

/** What lets whoever runs the service in; throws when no token is given. */
export function bearer(args: PlatformArguments): Headers_ {
  const token = args["platform-token"] ?? process.env.PLATFORM_TOKEN ?? demo.platform_token;
  return { Authorization: `Bearer ${required(token, "--platform-token")}` };
}

/** The whole answer of an operation; throws the API's error as one line. */
export async function request<Answer>(
  url: string | undefined,
  method: string,
  path: string,
  { headers, body }: Sent,
): Promise<Answer> {
  const response = await fetch(new URL(path, addressOf(url)), {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer as Answer;
  const { code, message, request_id: requestId } = answer as Record<string, string>;
  const isFinal = response.status !== 503 && code !== "idempotency_key_in_use";
  throw new ApiError(`${code}: ${message} (${requestId})`, isFinal);
}

/** The slugs of all companies of the service, newest first. */
export async function companySlugs(args: PlatformArguments): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/platform/companies?limit=100${query}`;
    const page: CompanyPage = await request(args.url, "GET", path, { headers: bearer(args) });
    slugs.push(...page.data.map((company) => company.slug));
    cursor = page.paging.next_cursor;
  }
  return slugs;
}

type CompanyPage = { data: { slug: string }[]; paging: { next_cursor: string | null } };

/** A refusal of the API; its message is for the terminal. One that is not final may be sent again. */
class ApiError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/**
 * Sends a write that is done once, however often it has to be sent until an answer comes: with one Idempotency-Key, so
 * that a lost answer is given again, with the secret that it shows.
 */
export async function callOnce<Data>(args: PlatformArguments, path: string, body?: unknown): Promise<Data> {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callPlatform<Data>(args, "POST", path, { headers, body });
    } catch (error) {
      if ((error instanceof ApiError && error.isFinal) || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    }
  }
}

/** Prints an answer as JSON. */
export function print(data: unknown): void {
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
}

/** The value of an option that must be given. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined) throw new Error(`${option} is missing`);
  return value;
}

function readDemo(path: string): Partial<Credentials> {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
