import { buffer } from "node:stream/consumers";
import { expect, inject, test } from "vitest";
import { controlRows, openCompany } from "../../support/company.ts";
import { useServer } from "../../support/own-server.ts";

const PATH = "/customers/:company";
const REMEMBERED_MS = 10_000;

/** Stands before a company's database, and lets only who has the token of the moment pass. */
let upstream: string;
let token: string;

const { libsqlToken } = inject("service");
const gate = useServer(async (request, response) => {
  const body = await buffer(request);
  if (request.headers.authorization !== `Bearer ${token}`.trim()) {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "Unauthorized: `The JWT is invalid`" }));
    return;
  }
  const answer = await fetch(new URL(String(request.url).slice(1), upstream), {
    method: "POST",
    headers: { authorization: `Bearer ${libsqlToken}`, "content-type": "application/json" },
    body,
  });
  response.writeHead(answer.status, { "content-type": String(answer.headers.get("content-type")) });
  response.end(await answer.text());
});

test("a database's token that is changed takes effect within 10 seconds: until then, 503 and nothing done", async () => {
  const company = await openCompany();
  const [own] = await controlRows("SELECT database_url FROM companies WHERE slug = ?", company.slug);
  upstream = String(own?.database_url);
  token = libsqlToken;
  await controlRows("UPDATE companies SET database_url = ? WHERE slug = ?", `${gate()}/`, company.slug);
  expect((await company.call("GET", PATH)).status).toBe(200);

  // The record holds a token encrypted, and none for an empty one.
  token = "";
  await controlRows("UPDATE companies SET database_token = NULL WHERE slug = ?", company.slug);
  const changedAt = performance.now();
  const body = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
  for (;;) {
    const sentAt = performance.now();
    const answer = await company.call("POST", PATH, { body });
    if (answer.status === 201) break;
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(sentAt - changedAt).toBeLessThan(REMEMBERED_MS + 100);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(await company.rows("SELECT count(*) AS n FROM customers")).toEqual([{ n: 1 }]);
});
