import { describe, expect, onTestFinished, test } from "vitest";
import { type Provisioner, provisionerOf } from "#tenancy/provision/index.ts";
import { serveOwn, useServer } from "../support/own-server.ts";

function sqld(address: string): Provisioner {
  return provisionerOf({
    DATABASE_PROVIDER: "sqld",
    SQLD_ADMIN_URL: address,
    SQLD_DATABASE_URL: "http://localhost:1/dev/{namespace}/",
  });
}

function turso(address: string): Provisioner {
  return provisionerOf({
    DATABASE_PROVIDER: "turso",
    TURSO_API_URL: address,
    TURSO_ORGANIZATION: "organization",
    TURSO_GROUP: "group",
  });
}

describe("a provider that answers what it should not", () => {
  let status: number;
  let body: unknown;
  const url = useServer((_, response) => {
    const headers = { "Content-Type": "application/json", ...(status === 302 && { Location: url() }) };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });

  const both = () => [sqld(url()), turso(url())];

  test.each([401, 403, 429, 500, 302])("fails with what it says: %i", async (answered) => {
    [status, body] = [answered, {}];
    for (const databases of both())
      for (const attempt of ["create", "exists", "remove"] as const)
        await expect(databases[attempt]("shop")).rejects.toThrow(
          `The database provider answered ${answered}`,
        );
  });

  test("fails when a namespace does not become durable, or an answer lacks what is documented", async () => {
    [status, body] = [200, { durability_mode: "relaxed" }];
    await expect(sqld(url()).create("shop")).rejects.toThrow("is relaxed");
    await expect(turso(url()).address("shop")).rejects.toThrow();
  });

  test("is 503 when it does not answer at all", async () => {
    for (const databases of [sqld("http://127.0.0.1:1"), turso("http://127.0.0.1:1")])
      await expect(databases.create("shop")).rejects.toMatchObject({ code: "unavailable" });
  });

  test("is 503 when its answer breaks off", async () => {
    const broken = await serveOwn((_, response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("{", () => response.destroy());
    });
    onTestFinished(broken.stop);
    for (const databases of [sqld(broken.url), turso(broken.url)])
      await expect(databases.exists("shop")).rejects.toMatchObject({ code: "unavailable" });
  });
});
