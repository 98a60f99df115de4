import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sqld } from "../support/libsql/bare-sqld.ts";

export const ORGANIZATION = "acme";
export const GROUP = "default";
export const API_TOKEN = "turso-api-token";

export type TursoStandIn = {
  url: string;
  /** What is to be said of a name that is there: as documented, or as answered since July 2026. */
  taken: "documented" | "answered";
  /** A `fetch` that finds the databases under their hostnames. */
  fetch: typeof fetch;
  stop: () => Promise<void>;
};

type Answer = { status: number; body: unknown };

/**
 * A stand-in of Turso's platform API, over namespaces of a real sqld. What it refuses is what the real one does, by
 * docs.turso.tech/api-reference and the openapi.json there.
 */
export async function startTurso(sqld: Sqld): Promise<TursoStandIn> {
  const standIn: TursoStandIn = {
    url: "",
    taken: "documented",
    fetch: fetchFor(sqld, globalThis.fetch),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = createServer(async (request, response) => {
    // docs.turso.tech/api-reference/response-codes: 401 without a valid token.
    if (request.headers.authorization !== `Bearer ${API_TOKEN}`)
      return reply(response, { status: 401, body: { error: "Unauthorized" } });
    reply(response, await answer(sqld, standIn, request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}

async function answer(sqld: Sqld, { taken }: TursoStandIn, request: IncomingMessage): Promise<Answer> {
  const { pathname } = new URL(request.url ?? "", "http://api");
  const [databases, name = "", ...action] = pathname
    .replace(`/v1/organizations/${ORGANIZATION}/`, "")
    .split("/");
  if (databases !== "databases") return { status: 404, body: { error: "not found" } };
  // .../databases/list, of one group.
  if (name === "" && request.method === "GET") {
    const isOurs = new URL(request.url ?? "", "http://api").searchParams.get("group") === GROUP;
    const names = isOurs ? await sqld.namespaces() : [];
    return { status: 200, body: { databases: names.map(describe) } };
  }
  if (name === "") return create(sqld, taken, JSON.parse(await textOf(request)));
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
    // .../databases/invalidate-tokens.
    case "POST auth/rotate":
      return { status: 200, body: null };
    case "POST auth/tokens":
      return { status: 200, body: { jwt: tokenOf(name) } };
  }
  return { status: 404, body: { error: "not found" } };
}

type Create = { name: string; group: string };

async function create(sqld: Sqld, taken: TursoStandIn["taken"], { name, group }: Create): Promise<Answer> {
  // .../databases/create: lowercase letters, numbers and dashes, no longer than 64; an existing group.
  if (!/^[a-z0-9-]{1,64}$/.test(name)) return { status: 400, body: { error: "invalid database name" } };
  if (group !== GROUP) return { status: 400, body: { error: "group not found" } };
  if (await isThere(sqld, name)) {
    // The first as documented; the second by github.com/tursodatabase/turso-docs/issues/409.
    return taken === "documented"
      ? { status: 409, body: { error: `database with name ${name} already exists` } }
      : { status: 400, body: { error: "database with same name already exists" } };
  }
  await sqld.admin("POST", `/v1/namespaces/${name}/create`, {});
  return { status: 200, body: { database: describe(name) } };
}

function describe(name: string) {
  return { DbId: `id-of-${name}`, Hostname: `${name}-${ORGANIZATION}.turso.io`, Name: name };
}

const tokenOf = (name: string) => `token-of-${name}`;

async function isThere(sqld: Sqld, name: string): Promise<boolean> {
  return (await sqld.admin("GET", `/v1/namespaces/${name}/config`)).ok;
}

function fetchFor(sqld: Sqld, real: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const host = new RegExp(`^https://([\\w-]+)-${ORGANIZATION}\\.turso\\.io/`).exec(request.url);
    const name = host?.[1];
    if (host === null || name === undefined) return real(request);
    if (request.headers.get("Authorization") !== `Bearer ${tokenOf(name)}`)
      return new Response("Unauthorized", { status: 401 });
    const url = request.url.replace(host[0], `${sqld.url}/dev/${name}/`);
    const headers = new Headers(request.headers);
    headers.set("Authorization", `Bearer ${sqld.token}`);
    return real(url, { method: request.method, headers, body: await request.text() });
  };
}

function reply(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
