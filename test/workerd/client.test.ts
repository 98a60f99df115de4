import { expect, test } from "vitest";
import { createCompanyClient } from "../../src/client/client.ts";

test("a Worker can use the client: it needs nothing of Node", async () => {
  const seen: string[] = [];
  const api = createCompanyClient({
    baseUrl: "https://api.example.com/v1",
    publishableKey: "pk_1",
    fetch: async (request) => {
      seen.push(`${request.method} ${request.url} ${request.headers.get("X-Client-Id")}`);
      const isLast = request.url.includes("cursor=");
      const paging = { next_cursor: isLast ? null : "next", has_more: !isLast };
      return Response.json({ data: [{ id: String(seen.length) }], paging });
    },
  });
  const ids: string[] = [];
  for await (const { id } of api.list("/invoices/{company}", { params: { path: { company: "demo" } } }))
    ids.push(id);
  expect(ids).toEqual(["1", "2"]);
  expect(seen).toEqual([
    "GET https://api.example.com/v1/invoices/demo pk_1",
    "GET https://api.example.com/v1/invoices/demo?cursor=next pk_1",
  ]);
});
