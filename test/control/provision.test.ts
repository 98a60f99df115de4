import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { provisionerOf } from "#control/provision.ts";
import type { Env } from "../../src/env.ts";

type Call = { method: string; path: string; authorization: string | undefined; body: unknown };
type Reply = { status: number; body?: unknown };

// A stand-in of the provider's API: it records what it is asked and answers as the test says.
let server: Server;
let url: string;
let calls: Call[];
let answers: (call: Call) => Reply;

beforeEach(async () => {
  calls = [];
  server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const call = {
    method: request.method ?? "",
    path: request.url ?? "",
    authorization: request.headers.authorization,
    body: text === "" ? undefined : JSON.parse(text),
  };
  calls.push(call);
  const { status, body } = answers(call);
  response.writeHead(status, {
    "Content-Type": "application/json",
    ...(status === 302 ? { Location: url } : {}),
  });
  response.end(JSON.stringify(body ?? {}));
}

const lines = () => calls.map(({ method, path }) => `${method} ${path}`);

describe("Turso's platform API", () => {
  const databases = "/v1/organizations/acme/databases";
  const made = { database: { DbId: "id", Hostname: "shop-acme.turso.io", Name: "shop" } };
  const turso = (more: Partial<Env> = {}) =>
    provisionerOf({
      DATABASE_PROVIDER: "turso",
      TURSO_API_URL: url,
      TURSO_API_TOKEN: "api-token",
      TURSO_ORGANIZATION: "acme",
      TURSO_GROUP: "default",
      ...more,
    } as Env);

  function answer(call: Call): Reply {
    if (call.path.startsWith(`${databases}/shop/auth/tokens`))
      return { status: 200, body: { jwt: "database-token" } };
    return call.method === "POST" ? { status: 200, body: made } : { status: 200 };
  }

  test("gives a database of its own, in the group, and a token for it alone", async () => {
    answers = answer;
    const address = await turso().create("shop");
    expect(address).toEqual({ url: "libsql://shop-acme.turso.io", token: "database-token" });
    expect(lines()).toEqual([
      `POST ${databases}`,
      `POST ${databases}/shop/auth/tokens?authorization=full-access`,
    ]);
    expect(calls[0]?.body).toEqual({ name: "shop", group: "default" });
    expect(calls.every(({ authorization }) => authorization === "Bearer api-token")).toBe(true);
  });

  test("replaces a database that a failed creation left", async () => {
    let taken = true;
    answers = (call) => {
      if (call.method === "DELETE") taken = false;
      return call.path === databases && taken ? { status: 409, body: { error: "exists" } } : answer(call);
    };
    await turso().create("shop");
    expect(lines().slice(0, 3)).toEqual([
      `POST ${databases}`,
      `DELETE ${databases}/shop`,
      `POST ${databases}`,
    ]);
  });

  test("removes a database, quietly when there is none", async () => {
    answers = () => ({ status: 404 });
    await turso().remove("shop");
    expect(lines()).toEqual([`DELETE ${databases}/shop`]);
  });

  test.each([401, 403, 429, 500, 302])("fails when the provider answers %i", async (status) => {
    answers = () => ({ status });
    await expect(turso().create("shop")).rejects.toThrow(`The database provider answered ${status}`);
    await expect(turso().remove("shop")).rejects.toThrow(`The database provider answered ${status}`);
  });

  test("fails when the answer is not what the provider documents, or no token is given", async () => {
    answers = () => ({ status: 200, body: { database: {} } });
    await expect(turso().create("shop")).rejects.toThrow();
    answers = (call) => (call.path === databases ? { status: 200, body: made } : { status: 500 });
    await expect(turso().create("shop")).rejects.toThrow("answered 500");
  });

  test.each(["TURSO_ORGANIZATION", "TURSO_GROUP"])("needs %s", (name) => {
    expect(() => turso({ [name]: "" })).toThrow(`${name} is not set`);
  });
});

describe("sqld's admin API", () => {
  const sqld = (more: Partial<Env> = {}) =>
    provisionerOf({
      DATABASE_PROVIDER: "sqld",
      SQLD_ADMIN_URL: url,
      SQLD_ADMIN_TOKEN: "admin-token",
      SQLD_DATABASE_URL: "http://db.internal/dev/{namespace}/",
      SQLD_DATABASE_TOKEN: "data-token",
      ...more,
    } as Env);

  test("gives a namespace", async () => {
    answers = () => ({ status: 200 });
    const address = await sqld().create("shop");
    expect(address).toEqual({ url: "http://db.internal/dev/shop/", token: "data-token" });
    expect(calls).toEqual([
      { method: "POST", path: "/v1/namespaces/shop/create", authorization: "Bearer admin-token", body: {} },
    ]);
  });

  test("replaces a namespace that a failed creation left", async () => {
    let taken = true;
    answers = ({ method }) => {
      if (method === "DELETE") taken = false;
      return { status: method === "POST" && taken ? 400 : 200 };
    };
    await sqld().create("shop");
    expect(lines()).toEqual([
      "POST /v1/namespaces/shop/create",
      "DELETE /v1/namespaces/shop",
      "POST /v1/namespaces/shop/create",
    ]);
  });

  test("removes a namespace, quietly when there is none, and fails on anything else", async () => {
    answers = () => ({ status: 404 });
    await sqld().remove("shop");
    answers = () => ({ status: 500 });
    await expect(sqld().remove("shop")).rejects.toThrow("answered 500");
    await expect(sqld().create("shop")).rejects.toThrow("answered 500");
  });

  test.each(["SQLD_ADMIN_URL", "SQLD_DATABASE_URL"])("needs %s", (name) => {
    expect(() => sqld({ [name]: "" })).toThrow(`${name} is not set`);
  });
});
