import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Hono } from "hono";
import { decodeText, inspectJson, readBytes } from "#api/bodies/read-body.ts";
import { ADMITTED } from "#api/call-context.ts";
import { environmentOf } from "#api/environment.ts";
import { markAgentCall } from "#api/mcp/agent-calls.ts";
import { indexOperations, type OperationIndex } from "#api/mcp/operations.ts";
import { agentServer } from "#api/mcp/server.ts";
import { assetAt } from "#api/pages/documents.ts";
import { admitKey } from "#api/pipeline.ts";
import type { App, RequestContext } from "#api/request-state.ts";
import { requireAdmission } from "#core/coordination.ts";
import { nameWork } from "#core/log.ts";
import { parsed } from "#shared/json.ts";
import { Problem } from "#shared/problem.ts";

const MOST_BYTES = 512 * 1024;
const KEY_HEADERS = ["X-Client-Id", "X-Client-Secret", "CF-Connecting-IP"];

const MOST_KEPT = 50;

let index: OperationIndex | undefined;
const descriptions = new Map<string, string>();

/**
 * Mounts `/mcp`, where agents speak the Model Context Protocol (https://modelcontextprotocol.io). What they call goes
 * through the pipeline of every call, with their key: `appOf` gives the app of a path.
 */
export function mountMcp(app: Hono<App>, appOf: (path: string) => Promise<Hono<App>>): void {
  app.all("/mcp", async (c) => {
    nameWork({ operation: "mcp" });
    requireOwnOrigin(c);
    await admitKey(c, "secret", null);
    const { admission = ADMITTED } = c.get("state");
    await requireAdmission(admission);
    const message = c.req.method === "POST" ? await messageOf(c) : undefined;
    const key = new Headers();
    for (const name of KEY_HEADERS) {
      const value = c.req.header(name);
      if (value !== undefined) key.set(name, value);
    }
    const tools = {
      base: `${environmentOf(c).origin}/v1`,
      index: async () => (index ??= indexOperations(JSON.parse(await assetText(c, "list")))),
      describe: (id: string, part?: "replies") => describe(c, part === undefined ? id : `${id}.${part}`),
      key,
      async send(request: Request) {
        markAgentCall(request, admission);
        return (await appOf(new URL(request.url).pathname)).fetch(request, c.env, c.executionCtx);
      },
    };
    const handler = createMcpHandler(() => agentServer(tools), {
      // Nothing changes while an agent listens: no stream is kept open.
      maxSubscriptions: 0,
    });
    return handler.fetch(c.req.raw, { parsedBody: message });
  });
}

/** Refuses browsers' pages of other origins. */
function requireOwnOrigin(c: RequestContext): void {
  const origin = c.req.header("Origin");
  if (origin !== undefined && origin !== environmentOf(c).origin)
    throw new Problem("origin_not_allowed", { message: "Agents call from programs, not from pages" });
}

/** The one message of the body: each counts as one call, so a batch is refused. */
async function messageOf(c: RequestContext): Promise<unknown> {
  const message = parsed(decodeText(await readBytes(c.req.raw, MOST_BYTES)));
  if (message === undefined) throw new Problem("invalid_json");
  if (Array.isArray(message))
    throw new Problem("invalid_json", {
      message: "Send one JSON-RPC message at a time: a batch is not taken",
    });
  inspectJson(message);
  return message;
}

async function describe(c: RequestContext, name: string): Promise<string> {
  const kept = descriptions.get(name);
  if (kept !== undefined) return kept;
  const text = await assetText(c, name);
  const [oldest] = descriptions.keys();
  if (descriptions.size >= MOST_KEPT && oldest !== undefined) descriptions.delete(oldest);
  descriptions.set(name, text);
  return text;
}

async function assetText(c: RequestContext, name: string): Promise<string> {
  const asset = await assetAt(c, `/operations/${name}.json`);
  if (asset === undefined) throw new Problem("unavailable");
  return asset.text();
}
