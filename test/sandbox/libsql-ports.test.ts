import { expect, it } from "vitest";
import {
  client,
  connect,
  createNamespace,
  execute,
  names,
  namespace,
  post,
  removeNamespace,
  SCHEMA,
  server,
  startServer,
  useServer,
} from "./libsql-harness.ts";

useServer();

it("answers the paths of sqld", async () => {
  for (const path of ["/v2", "/v3", `/dev/${namespace}/v2`, `/dev/${namespace}/v3`, "/version", "/health"]) {
    expect((await fetch(server.url + path)).status).toBe(200);
  }
  const body = { requests: [execute("SELECT 1")] };
  for (const path of [`/dev/${namespace}/v3/pipeline`, "/v2/pipeline", "/v3/pipeline"]) {
    expect((await post(body, path)).status).toBe(200);
  }
});

it("asks for the tokens", async () => {
  expect((await post({ requests: [] }, "/v2/pipeline", "wrong")).status).toBe(401);
  const admin = await fetch(`${server.adminUrl}/v1/namespaces/x/create`, { method: "POST" });
  expect(admin.status).toBe(401);
});

it("knows only the namespaces that were created", async () => {
  const unknown = await post({ requests: [] }, "/dev/nobody/v2/pipeline");
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toEqual({ error: "Namespace `nobody` doesn't exist" });
  expect((await createNamespace(namespace)).status).toBe(400);
  expect((await createNamespace("..%2Fescape")).status).toBe(400);
  expect((await removeNamespace("nobody")).status).toBe(404);
});

it("creates a namespace of the same name empty after it was deleted", async () => {
  await client.execute("INSERT INTO items (name) VALUES ('a')");
  expect((await removeNamespace(namespace)).status).toBe(200);
  expect((await post({ requests: [] })).status).toBe(404);
  await createNamespace(namespace);
  expect((await client.execute("SELECT * FROM sqlite_schema")).rows).toEqual([]);
});

it("copies the template into a new namespace", async () => {
  await createNamespace("_template");
  await connect("_template").executeMultiple(`${SCHEMA}; INSERT INTO items (name) VALUES ('seed')`);
  await createNamespace("from-template");
  await removeNamespace("_template");
  const copy = connect("from-template");
  await copy.execute("INSERT INTO items (name) VALUES ('own')");
  expect(await names(copy)).toEqual(["seed", "own"]);
});

it("keeps the data of more namespaces than it holds open, and over a restart", async () => {
  await client.execute("INSERT INTO items (name) VALUES ('kept')");
  for (let index = 0; index < 210; index += 1) await createNamespace(`crowd-${index}`);
  expect(await names()).toEqual(["kept"]);
  await server.stop();
  await startServer();
  expect(await names(connect(namespace))).toEqual(["kept"]);
});
