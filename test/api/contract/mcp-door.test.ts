import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { newClientSecret } from "#tenancy/keys/key-format.ts";
import { credentials, must, openCompany } from "#test/company.ts";
import { randomAddress } from "#test/http.ts";

const company = await openCompany();

const clientInfo = { name: "test", version: "1" };
const INITIALIZE = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
};

function send(headers: Record<string, string>, method: string, sent: unknown): Promise<Response> {
  const types = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const body = method === "POST" && { body: JSON.stringify(sent) };
  return fetch(`${company.url}/mcp`, { method, headers: { ...types, ...headers }, ...body });
}

/** What the door answers to a first message. */
async function knock(headers: Record<string, string>, method = "POST", sent: unknown = INITIALIZE) {
  const response = await send(headers, method, sent);
  const { code } = (await response.json().catch(() => ({}))) as { code?: unknown };
  return [response.status, code];
}

describe.concurrent("the door", () => {
  const secret = (key = company.admin) => credentials(key);
  const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

  it("lets no key in that is unknown, wrong, revoked or of a suspended company", async () => {
    const wrong = { client_id: company.admin.client_id, client_secret: newClientSecret() };
    const unknown = { client_id: `ck_${"0".repeat(22)}`, client_secret: newClientSecret() };
    const revoked = await company.key("customers:read");
    must(await company.call("DELETE", `/settings/:company/keys/${revoked.client_id}`), 200);
    for (const key of [wrong, unknown, revoked])
      expect(await knock(secret(key))).toEqual([401, "invalid_credentials"]);
    const other = await openCompany();
    must(await other.patch({ status: "suspended" }), 200);
    expect(await knock(secret(other.admin))).toEqual([403, "company_suspended"]);
  });

  it("counts failures in the limiter of addresses", async () => {
    const wrong = secret({ client_id: company.admin.client_id, client_secret: newClientSecret() });
    const from = { ...wrong, "CF-Connecting-IP": randomAddress() };
    const answers = await Promise.all(Array.from({ length: 40 }, () => knock(from)));
    expect(answers.filter(([status]) => status === 401)).toHaveLength(30);
    expect(answers.filter(([status]) => status === 429)).toHaveLength(10);
  });

  it("counts each message once in the key's own limit, a call of an operation too", async () => {
    const key = await company.makeKey({ scopes: ["customers:read"], rate_limit_per_minute: 10 });
    const listing = { operation: "listCustomers", path: { company: company.slug } };
    const params = { name: "call_operation", arguments: listing };
    const call = { ...LIST, method: "tools/call", params };
    const messages = Array.from({ length: 14 }, (_, at) => (at % 2 === 0 ? LIST : call));
    const answers = await Promise.all(messages.map((message) => knock(secret(key), "POST", message)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(10);
    expect(answers.filter(([, code]) => code === "rate_limited")).toHaveLength(4);
  });

  it("takes one message at a time", async () => {
    expect(await knock(secret(), "POST", [LIST, LIST])).toEqual([400, "invalid_json"]);
    expect(await knock(secret(), "POST", LIST)).toEqual([200, undefined]);
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
    const [version, method] = ["2026-07-28", "subscriptions/listen"];
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta };
    const headers = { "MCP-Protocol-Version": version, "Mcp-Method": method, ...secret() };
    const response = await send(headers, "POST", { jsonrpc: "2.0", id: 1, method, params });
    expect(await response.text()).toContain("Subscription limit reached");
  });

  it("keeps nothing between two requests: it has no stream to listen to", async () => {
    expect(await knock(secret(), "GET")).toEqual([405, undefined]);
    expect(await knock(secret(), "DELETE")).toEqual([405, undefined]);
  });
});
