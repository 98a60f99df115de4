import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { openCompany, type TestCompany } from "#test/company.ts";

let company: TestCompany;

beforeAll(async () => {
  company = await openCompany();
});

/** What the door answers to a first message. */
async function knock(headers: Record<string, string>, method = "POST") {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const message = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const response = await fetch(`${company.url}/mcp`, {
    method,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    ...(method === "POST" && { body: JSON.stringify(message) }),
  });
  const { code } = (await response.json().catch(() => ({}))) as { code?: unknown };
  return [response.status, code];
}

describe.concurrent("the door", () => {
  const secret = () => ({
    "X-Client-Id": company.admin.client_id,
    "X-Client-Secret": String(company.admin.client_secret),
  });

  it("lets no call in without a key, with half of one, or with a publishable one", async () => {
    const { client_id } = await company.publishableKey("https://shop.example.com");
    expect(await knock({})).toEqual([401, "missing_credentials"]);
    expect(await knock({ "X-Client-Id": company.admin.client_id })).toEqual([401, "missing_credentials"]);
    expect(await knock({ "X-Client-Id": client_id })).toEqual([401, "secret_key_required"]);
  });

  it("lets no page of another origin in", async () => {
    expect(await knock({ ...secret(), Origin: "https://evil.example" })).toEqual([403, "origin_not_allowed"]);
    expect(await knock({ ...secret(), Origin: "null" })).toEqual([403, "origin_not_allowed"]);
  });

  it("keeps no stream open for what changes: nothing does", async () => {
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const transport = new StreamableHTTPClientTransport(new URL(`${company.url}/mcp`), {
      requestInit: { headers: secret() },
    });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(3);
    await client.close();
    const response = await fetch(`${company.url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
        ...secret(),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "subscriptions/listen",
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    });
    expect(await response.text()).toContain("Subscription limit reached");
  });

  it("keeps nothing between two requests: it has no stream to listen to", async () => {
    expect(await knock(secret(), "GET")).toEqual([405, undefined]);
    expect(await knock(secret(), "DELETE")).toEqual([405, undefined]);
  });
});
