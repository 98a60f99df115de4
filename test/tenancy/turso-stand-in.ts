import type { IncomingMessage, ServerResponse } from "node:http";
import { violationsOf } from "../contracts/schemas.ts";
import type { Sqld as Server } from "../support/libsql/bare-sqld.ts";
import { serveOwn } from "../support/own-server.ts";

type Sqld = Pick<Server, "url" | "token" | "admin" | "namespaces">;

export const ORGANIZATION = "acme";
export const GROUP = "default";
export const API_TOKEN = "turso-api-token";

/** What makes databases at the stand-in. */
const variablesOf = (url: string) => ({
  ...{ DATABASE_PROVIDER: "turso" as const, TURSO_API_URL: url, TURSO_API_TOKEN: API_TOKEN },
  ...{ TURSO_ORGANIZATION: ORGANIZATION, TURSO_GROUP: GROUP },
});

export type TursoStandIn = {
  url: string;
  variables: ReturnType<typeof variablesOf>;
  /** What is to be said of a name that is there: as documented, or as answered since July 2026. */
  taken: "documented" | "answered";
  /** How long a transaction may be open before it is ended. */
  transactionMs: number;
  /** Ends those tokens whose time is over at that instant (epoch ms). */
  now: () => number;
  /** A `fetch` that finds the databases under their hostnames. */
  fetch: typeof fetch;
  stop: () => void;
};

type Answer = { status: number; body: unknown };

/**
 * A stand-in of Turso's platform API, over namespaces of a real sqld. What it refuses is what the real one does, by
 * docs.turso.tech/api-reference and the openapi.json there.
 */
export async function startTurso(sqld: Sqld): Promise<TursoStandIn> {
  const standIn: TursoStandIn = {
    ...{ url: "", variables: variablesOf("") },
    taken: "documented",
    // docs.turso.tech/reference/client-access: "libSQL aborts transactions after a 5 second timeout".
    transactionMs: 5_000,
    now: Date.now,
    fetch: fetchFor(sqld, globalThis.fetch, () => standIn),
    stop: () => undefined,
  };
  const { url, stop } = await serveOwn(async (request, response) => {
    // docs.turso.tech/api-reference/response-codes: 401 without a valid token.
    if (request.headers.authorization !== `Bearer ${API_TOKEN}`)
      return reply(response, { status: 401, body: { error: "Unauthorized" } });
    const body = await textOf(request);
    const { method = "", url: path = "", headers } = request;
    const asked = { method, path, headers: new Headers(headers as HeadersInit), body };
    const [violation] = violationsOf("turso", asked);
    const refused = violation && { status: 400, body: { error: violation } };
    reply(response, refused || (await answer(sqld, standIn, request, body)));
  });
  return Object.assign(standIn, { url, variables: variablesOf(url), stop });
}

async function answer(
  sqld: Sqld,
  standIn: TursoStandIn,
  request: IncomingMessage,
  body: string,
): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
  const [databases, name = "", ...action] = pathname
    .replace(`/v1/organizations/${ORGANIZATION}/`, "")
    .split("/");
  if (databases !== "databases") return { status: 404, body: { error: "not found" } };
  // .../databases/list, of one group.
  if (name === "" && request.method === "GET") {
    const isOurs = searchParams.get("group") === GROUP;
    const names = isOurs ? await sqld.namespaces() : [];
    return { status: 200, body: { databases: names.map(describe) } };
  }
  if (name === "") return create(sqld, standIn.taken, JSON.parse(body));
  // .../databases/retrieve, /delete and /create-token: 404 where there is none.
  if (!(await isThere(sqld, name))) {
    const error = `could not find database with name ${name}: record not found`;
    return { status: 404, body: { error } };
  }
  switch (`${request.method} ${action.join("/")}`) {
    case "GET ":
      return { status: 200, body: { database: describe(name) } };
    case "DELETE ":
      await sqld.admin("DELETE", `/v1/namespaces/${name}`);
      return { status: 200, body: { database: name } };
    // docs.turso.tech/cli/db/tokens/invalidate: "All tokens in the group that provided database belongs will also be
    // invalidated", for the keys that sign them are the group's (internal/cmd/db_invalidatetokens.go of turso-cli).
    case "POST auth/rotate":
      tokens.clear();
      return { status: 200, body: null };
    // .../databases/create-token: `expiration` is `never` or such as 2w1d30m.
    case "POST auth/tokens":
      return tokenFor(name, searchParams.get("expiration") ?? "never", standIn.now());
    // .../databases/update-configuration; what is blocked answers BLOCKED (docs.turso.tech/billing-details).
    case "PATCH configuration": {
      const config = (await (await sqld.admin("GET", `/v1/namespaces/${name}/config`)).json()) as object;
      const asked = JSON.parse(body) as object;
      const { max_db_size: _, ...rest } = { ...config, ...asked } as Record<string, unknown>;
      await sqld.admin("POST", `/v1/namespaces/${name}/config`, rest);
      return { status: 200, body: asked };
    }
  }
  return { status: 404, body: { error: "not found" } };
}

type Create = { name: string; group: string; seed?: { type: string; name: string } };

async function create(
  sqld: Sqld,
  taken: TursoStandIn["taken"],
  { name, group, seed }: Create,
): Promise<Answer> {
  // .../databases/create: lowercase letters, numbers and dashes, no longer than 64; an existing group.
  if (!/^[a-z0-9-]{1,64}$/.test(name)) return { status: 400, body: { error: "invalid database name" } };
  if (group !== GROUP) return { status: 400, body: { error: "group not found" } };
  if (await isThere(sqld, name)) {
    // The first as documented; the second by github.com/tursodatabase/turso-docs/issues/409.
    return taken === "documented"
      ? { status: 409, body: { error: `database with name ${name} already exists` } }
      : { status: 400, body: { error: "database with same name already exists" } };
  }
  // docs.turso.tech/features/branching: a database of its own, which begins as the named one is.
  if (seed !== undefined && (seed.type !== "database" || !(await isThere(sqld, seed.name))))
    return { status: 400, body: { error: "could not find the database of the seed" } };
  const made = seed === undefined ? `${name}/create` : `${seed.name}/fork/${name}`;
  await sqld.admin("POST", `/v1/namespaces/${made}`, {});
  return { status: 200, body: { database: describe(name) } };
}

function describe(name: string) {
  return { DbId: `id-of-${name}`, Hostname: `${name}-${ORGANIZATION}.turso.io`, Name: name };
}

/** Which database each token opens, and until when. */
const tokens = new Map<string, { name: string; until: number }>();
const UNITS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

function tokenFor(name: string, expiration: string, now: number): Answer {
  if (!/^(?:never|(?:\d+[wdhms])+)$/.test(expiration))
    return { status: 400, body: { error: "invalid expiration" } };
  let until = expiration === "never" ? Number.POSITIVE_INFINITY : now;
  for (const [, count, unit = ""] of expiration.matchAll(/(\d+)([wdhms])/g))
    until += Number(count) * (UNITS[unit] ?? 0);
  const jwt = `token-${tokens.size}-of-${name}`;
  tokens.set(jwt, { name, until });
  return { status: 200, body: { jwt } };
}

async function isThere(sqld: Sqld, name: string): Promise<boolean> {
  return (await sqld.admin("GET", `/v1/namespaces/${name}/config`)).ok;
}

function fetchFor(sqld: Sqld, real: typeof fetch, standIn: () => TursoStandIn): typeof fetch {
  /** When the transaction of each stream was begun. */
  const begun = new Map<string, number>();
  return async (input, init) => {
    const request = new Request(input, init);
    const host = new RegExp(`^https://([\\w-]+)-${ORGANIZATION}\\.turso\\.io/`).exec(request.url);
    const name = host?.[1];
    if (host === null || name === undefined) return real(request);
    const { now, transactionMs } = standIn();
    const token = tokens.get(request.headers.get("Authorization")?.replace("Bearer ", "") ?? "");
    if (token?.name !== name || token.until <= now()) return new Response("Unauthorized", { status: 401 });
    const body = await request.text();
    const { baton } = JSON.parse(body || "{}") as { baton?: string | null };
    const since = begun.get(baton ?? "");
    if (since !== undefined && performance.now() - since > transactionMs) return timedOut();
    const url = request.url.replace(host[0], `${sqld.url}/dev/${name}/`);
    const headers = new Headers(request.headers);
    headers.set("Authorization", `Bearer ${sqld.token}`);
    const answered = await real(url, { method: request.method, headers, body });
    const text = await answered.text();
    const next = /"baton":"([^"]+)"/.exec(text)?.[1];
    if (next !== undefined && (since !== undefined || /"BEGIN\b/.test(body)))
      begun.set(next, since ?? performance.now());
    return new Response(text, answered);
  };
}

function timedOut(): Response {
  const error = { message: "Transaction timed-out", code: "TRANSACTION_TIMEOUT" };
  return Response.json({ baton: null, base_url: null, results: [{ type: "error", error }] });
}

function reply(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
