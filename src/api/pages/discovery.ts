import { environmentOf } from "#api/environment.ts";
import { jsonReply } from "#api/replies/replies.ts";
import { API_VERSION } from "#shared/version.ts";
import type { RequestContext } from "../request-state.ts";

const JSON_TYPE = "application/json";
const CARD_TYPE = "application/mcp-server-card+json";
const MCP_NAME = "company-operations";

/** Where a program finds the API document, the reference and the catalogue of APIs (RFC 8288, RFC 8631, RFC 9727). */
export const LINKS = {
  Link: [
    '</v1/openapi.json>; rel="service-desc"; type="application/json"',
    '</docs>; rel="service-doc"; type="text/html"',
    '</.well-known/api-catalog>; rel="api-catalog"',
  ].join(", "),
};

/** Serves the catalogue of this host's APIs, as RFC 9727 has it: a linkset in JSON (RFC 9264). */
export function serveApiCatalog(c: RequestContext): Promise<Response> {
  const { origin } = environmentOf(c);
  const link = (path: string, type: string) => ({ href: origin + path, type });
  const linkset = [
    {
      anchor: `${origin}/v1`,
      "service-desc": [link("/v1/openapi.json", JSON_TYPE), link("/v1/openapi-3.0.json", JSON_TYPE)],
      "service-doc": [link("/docs", "text/html"), link("/llms.txt", "text/plain")],
      status: [link("/health", JSON_TYPE)],
    },
    {
      anchor: `${origin}/mcp`,
      "service-desc": [link("/mcp/server-card", CARD_TYPE)],
      "service-doc": [link("/docs/pages/agents", "text/html")],
    },
  ];
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
  return servePublic(c, type, { linkset }, LINKS);
}

// SEP-2127 of the Model Context Protocol (final, extension io.modelcontextprotocol/server-card, schema v1): a card beside
// the server, and at the host's root the AI Catalog (1.0) that leads to it.
/** Serves the list of what agents find here: the card of `/mcp`. */
export function serveAiCatalog(c: RequestContext): Promise<Response> {
  const { origin } = environmentOf(c);
  const identifier = `urn:air:${new URL(origin).hostname}:mcp:${MCP_NAME}`;
  const entries = [{ identifier, type: CARD_TYPE, url: `${origin}/mcp/server-card` }];
  return servePublic(c, "application/ai-catalog+json", { specVersion: "1.0", entries });
}

/** Serves the card of `/mcp`: who it is, where, and what its client needs to connect. */
export function serveServerCard(c: RequestContext): Promise<Response> {
  const { origin } = environmentOf(c);
  const domain = new URL(origin).hostname.split(".").reverse().join(".");
  const header = (name: string, isSecret: boolean) => ({ name, isRequired: true, isSecret });
  const headers = [header("X-Client-Id", false), header("X-Client-Secret", true)];
  return servePublic(c, CARD_TYPE, {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${domain}/${MCP_NAME}`,
    version: API_VERSION,
    title: "Company Operations",
    description: "One company's business account: invoices, customers, payments, bookings and projects",
    websiteUrl: `${origin}/docs/pages/agents`,
    remotes: [{ type: "streamable-http", url: `${origin}/mcp`, headers }],
  });
}

/** What programs of any origin may read and keep for an hour. */
function servePublic(
  c: RequestContext,
  type: string,
  body: object,
  more: Record<string, string> = {},
): Promise<Response> {
  return jsonReply(c, 200, body, {
    "Content-Type": type,
    "Cache-Control": "public, max-age=3600",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET",
    "Access-Control-Allow-Headers": "Content-Type",
    ...more,
  });
}
