import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Hono } from "hono";
import { credentialsProblem } from "#api/access/credentials-problem.ts";
import { environmentOf } from "#api/environment.ts";
import { markAgentCall } from "#api/mcp/agent-calls.ts";
import type { AgentOperation } from "#api/mcp/operations.ts";
import { agentServer } from "#api/mcp/server.ts";
import type { App, RequestContext } from "#api/request-state.ts";
import { nameWork } from "#core/log.ts";
import { Problem } from "#shared/problem.ts";

const MOST_BYTES = 512 * 1024;
const KEY_HEADERS = ["X-Client-Id", "X-Client-Secret", "CF-Connecting-IP"];

let known: AgentOperation[] | undefined;

/**
 * Mounts `/mcp`, where agents speak the Model Context Protocol (https://modelcontextprotocol.io). What they call goes
 * through the pipeline of every call, with their key: `appOf` gives the app of a path.
 */
export function mountMcp(app: Hono<App>, appOf: (path: string) => Promise<Hono<App>>): void {
  app.all("/mcp", async (c) => {
    nameWork({ operation: "mcp" });
    requireSecretKey(c);
    const key = new Headers();
    for (const name of KEY_HEADERS) {
      const value = c.req.header(name);
      if (value !== undefined) key.set(name, value);
    }
    const tools = {
      base: `${environmentOf(c).origin}/v1`,
      async list() {
        known ??= await assetOf<AgentOperation[]>(c, "list");
        return known;
      },
      describe: async (id: string) => JSON.stringify(await assetOf(c, id)),
      key,
      async send(request: Request) {
        markAgentCall(request);
        return (await appOf(new URL(request.url).pathname)).fetch(request, c.env, c.executionCtx);
      },
    };
    const handler = createMcpHandler(() => agentServer(tools), {
      maxRequestBodySize: MOST_BYTES,
      // Nothing changes while an agent listens: no stream is kept open.
      maxSubscriptions: 0,
    });
    return handler.fetch(c.req.raw);
  });
}

/** Refuses browsers' pages of other origins, and keys that browsers show. */
function requireSecretKey(c: RequestContext): void {
  const origin = c.req.header("Origin");
  if (origin !== undefined && origin !== environmentOf(c).origin)
    throw new Problem("origin_not_allowed", { message: "Agents call from programs, not from pages" });
  const clientId = c.req.header("X-Client-Id");
  const refuse = (code: "missing_credentials" | "secret_key_required") =>
    credentialsProblem(c.req.raw.headers, { code, accepted: "secret" });
  if (clientId?.startsWith("pk_")) throw refuse("secret_key_required");
  if (clientId === undefined || c.req.header("X-Client-Secret") === undefined)
    throw refuse("missing_credentials");
}

async function assetOf<Value>(c: RequestContext, name: string): Promise<Value> {
  const answer = await c.env.ASSETS?.fetch(new URL(`/operations/${name}.json`, c.req.url));
  if (!answer?.ok) throw new Problem("unavailable");
  return answer.json<Value>();
}
