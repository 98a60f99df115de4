import { randomBytes } from "node:crypto";
import { createClient } from "@libsql/client/web";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Provisioner, type ProvisionerVariables, provisionerOf } from "#tenancy/provision/index.ts";
import { newDatabaseName, openOwnDatabase, removeOwnDatabase } from "#tenancy/provision/own-database.ts";
import { ADMIN_KEY, startSqld } from "../support/libsql/bare-sqld.ts";
import { ORGANIZATION, startTurso } from "./turso-stand-in.ts";

const NOW = 1_795_000_000_000;

const server = await startSqld();
const platform = await startTurso(server);
afterAll(async () => {
  await platform.stop();
  await server.stop();
});
afterEach(() => vi.unstubAllGlobals());

function sqld(more: Partial<ProvisionerVariables> = {}): Provisioner {
  return provisionerOf({
    DATABASE_PROVIDER: "sqld",
    SQLD_ADMIN_URL: server.adminUrl,
    SQLD_ADMIN_TOKEN: ADMIN_KEY,
    SQLD_DATABASE_URL: `${server.url}/dev/{namespace}/`,
    SQLD_DATABASE_TOKEN: server.token,
    ...more,
  });
}

function turso(more: Partial<ProvisionerVariables> = {}): Provisioner {
  return provisionerOf({
    ...platform.variables,
    ...more,
  });
}

const sqlOn = (name: string) => createClient({ url: `${server.url}/dev/${name}/`, authToken: server.token });
const isThere = async (name: string) => (await server.namespaces()).includes(name);
const hmacOf = async (name: string) =>
  (await sqlOn(name).execute("SELECT name FROM database_name")).rows.map((row) => row.name);

/** A database that another party made, with a row in it. */
async function foreign(): Promise<string> {
  const name = `foreign-${randomBytes(6).toString("hex")}`;
  await server.admin("POST", `/v1/namespaces/${name}/create`, {});
  await sqlOn(name).executeMultiple("CREATE TABLE kept (x); INSERT INTO kept VALUES ('row')");
  return name;
}

async function expectKept(name: string): Promise<void> {
  expect((await sqlOn(name).execute("SELECT x FROM kept")).rows[0]?.x).toBe("row");
}

describe.each([
  ["sqld", sqld, "documented"],
  ["Turso, by its documents", turso, "documented"],
  ["Turso, by what it answers", turso, "answered"],
] as const)("%s", (_, provisioner, taken) => {
  let databases: Provisioner;

  beforeEach(() => {
    platform.taken = taken;
    vi.stubGlobal("fetch", platform.fetch);
    databases = provisioner();
  });

  test("gives a database that bears its own name; again under that name, the same one", async () => {
    const name = newDatabaseName(NOW);
    const address = await openOwnDatabase(databases, name);
    expect(await hmacOf(name)).toEqual([name]);
    await sqlOn(name).executeMultiple("CREATE TABLE kept (x); INSERT INTO kept VALUES ('row')");
    expect((await openOwnDatabase(databases, name)).url).toBe(address.url);
    await expectKept(name);
  });

  test("goes on with one that a lost answer left empty", async () => {
    const name = newDatabaseName(NOW);
    expect(await databases.create(name)).toBe(true);
    expect(await databases.create(name)).toBe(false);
    await openOwnDatabase(databases, name);
    expect(await hmacOf(name)).toEqual([name]);
  });

  test("takes over and removes nothing that another party made, or that bears another name", async () => {
    const unmarked = await foreign();
    const marked = newDatabaseName(NOW);
    await openOwnDatabase(databases, marked);
    await sqlOn(marked).executeMultiple(
      "CREATE TABLE kept (x); INSERT INTO kept VALUES ('row'); UPDATE database_name SET name = 'another'",
    );
    for (const name of [unmarked, marked]) {
      await expect(openOwnDatabase(databases, name)).rejects.toMatchObject({ code: "conflict" });
      await removeOwnDatabase(databases, name);
      await expectKept(name);
    }
    expect(await hmacOf(marked)).toEqual(["another"]);
  });

  test("removes what is empty or bears its own name, quietly when there is none", async () => {
    const [empty, own] = [newDatabaseName(NOW), newDatabaseName(NOW)];
    await databases.create(empty);
    await openOwnDatabase(databases, own);
    for (const name of [empty, own]) {
      expect(await databases.exists(name)).toBe(true);
      await removeOwnDatabase(databases, name);
      expect(await databases.exists(name)).toBe(false);
      expect(await isThere(name)).toBe(false);
      await removeOwnDatabase(databases, name);
      await databases.remove(name);
    }
  });

  test("a copy of another database bears the name that it was made for", async () => {
    const [template, copy] = [newDatabaseName(NOW), newDatabaseName(NOW)];
    await openOwnDatabase(databases, template);
    const copying = {
      ...databases,
      async create(name: string) {
        return (await server.admin("POST", `/v1/namespaces/${template}/fork/${name}`)).ok;
      },
    };
    await openOwnDatabase(copying, copy);
    expect(await hmacOf(copy)).toEqual([copy]);
    await removeOwnDatabase(databases, copy);
    expect([await isThere(copy), await isThere(template)]).toEqual([false, true]);
  });
});

describe("Turso's platform API", () => {
  test("lists the databases of its group, and gives an address and a token for each alone", async () => {
    const name = newDatabaseName(NOW);
    await turso().create(name);
    expect(await turso().names()).toContain(name);
    expect(await turso({ TURSO_GROUP: "other" }).names()).toEqual([]);
    expect(await turso().address(name)).toEqual({
      url: `libsql://${name}-${ORGANIZATION}.turso.io`,
      token: expect.stringContaining(name),
    });
    expect(await turso().makeDurable(`libsql://${name}-${ORGANIZATION}.turso.io`)).toBe("unmanaged");
  });

  test("gives tokens that expire, shuts one database out and lets it in again, and ends no token of another", async () => {
    vi.stubGlobal("fetch", platform.fetch);
    const [name, other] = [newDatabaseName(NOW), newDatabaseName(NOW)];
    for (const one of [name, other]) await turso().create(one);
    const opened = async ({ url, token }: { url: string; token: string }) =>
      (
        await fetch(`${url.replace("libsql", "https")}/v2/pipeline`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}` },
          body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql: "SELECT 1" } }] }),
        })
      ).text();
    const [own, others] = [await turso().address(name), await turso().address(other)];
    await turso().shutOut(name);
    expect(await opened(own)).toContain("BLOCKED");
    expect(await opened(others)).toContain('"ok"');
    await turso().letIn(name);
    expect(await opened(own)).toContain('"ok"');
    const brief = await turso({ TURSO_TOKEN_EXPIRATION: "1d" }).address(name);
    expect(await opened(brief)).toContain('"ok"');
    platform.now = () => Date.now() + 86_400_001;
    expect(await opened(brief)).toBe("Unauthorized");
    expect(await opened(own)).toContain('"ok"');
    platform.now = Date.now;
    await expect(turso({ TURSO_TOKEN_EXPIRATION: "soon" }).address(name)).rejects.toThrow(
      "invalid expiration",
    );
    await turso().shutOut("nowhere");
  });

  test("refuses a wrong token, a group and a name that it does not know", async () => {
    const name = newDatabaseName(NOW);
    await expect(turso({ TURSO_API_TOKEN: "wrong" }).create(name)).rejects.toThrow("answered 401");
    await expect(turso({ TURSO_GROUP: "other" }).create(name)).rejects.toThrow("group not found");
    await expect(turso().create("No_Name")).rejects.toThrow("answered 400");
    await expect(turso().address(name)).rejects.toThrow("answered 404");
  });

  test.each(["TURSO_ORGANIZATION", "TURSO_GROUP"])("needs %s", (name) => {
    expect(() => turso({ [name]: "" })).toThrow(`${name} is not set`);
  });
});

describe("sqld's admin API", () => {
  const configOf = async (name: string) =>
    (await (await server.admin("GET", `/v1/namespaces/${name}/config`)).json()) as Record<string, unknown>;

  test("makes commits durable, when the namespace is made and later", async () => {
    const [name, relaxed] = [newDatabaseName(NOW), await foreign()];
    await sqld().create(name);
    expect(await configOf(name)).toMatchObject({ durability_mode: "strong" });
    const address = `${server.url}/dev/${relaxed}`;
    expect(await sqld().makeDurable(address)).toBe("set");
    expect(await sqld().makeDurable(`${address}/`)).toBe("strong");
    expect(await configOf(relaxed)).toMatchObject({ durability_mode: "strong" });
  });

  test.each([
    ["http://{namespace}.db.internal:8080/", "http://shop.db.internal:8080/"],
    ["http://localhost:8080/dev/{namespace}/", "http://localhost:8080/dev/shop/"],
    ["http://localhost:8080/dev/{namespace}", "http://localhost:8080/dev/shop"],
  ])("addresses a namespace by %s", async (pattern, url) => {
    const databases = sqld({ SQLD_DATABASE_URL: pattern });
    expect(await databases.address("shop")).toEqual({ url, token: server.token });
    await server.admin("POST", "/v1/namespaces/shop/create", {});
    expect(await databases.makeDurable(url)).toMatch(/^(?:set|strong)$/);
    for (const other of ["http://shop.db.elsewhere:8080/", "http://a/b.db.internal:8080/", `${url}x/y`])
      expect(await databases.makeDurable(other)).toBe("unmanaged");
  });

  test("fails with another admin key, and leaves what it cannot be", async () => {
    const name = newDatabaseName(NOW);
    await expect(sqld({ SQLD_ADMIN_TOKEN: "wrong" }).create(name)).rejects.toThrow("answered 401");
    expect(await isThere(name)).toBe(false);
  });

  test.each([
    [{ SQLD_ADMIN_URL: "" }, "SQLD_ADMIN_URL is not set"],
    [{ SQLD_DATABASE_URL: "" }, "SQLD_DATABASE_URL is not set"],
    [{ SQLD_DATABASE_URL: "http://localhost:8080/" }, "SQLD_DATABASE_URL has no {namespace}"],
  ])("is refused with %j", (variables, message) => {
    expect(() => sqld(variables)).toThrow(message);
  });
});
