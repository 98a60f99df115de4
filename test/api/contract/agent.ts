import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Key } from "#test/company.ts";

/** An agent that holds a key, by the protocol's official client. */
export async function agentOf(url: string, key: Key) {
  // The first who asks for a document lets all be built, which on a busy machine takes longer than a client waits.
  await fetch(`${url}/llms.txt`);
  const client = new Client({ name: "test", version: "1.0.0" });
  const headers = { "X-Client-Id": key.client_id, "X-Client-Secret": key.client_secret ?? "" };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  const read = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    return { isError, text: first?.text ?? "{}" };
  };
  const use = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, text } = await read(name, args);
    return { isError, ...JSON.parse(text) };
  };
  return { client, read, use, call: (args: Record<string, unknown>) => use("call_operation", args) };
}
