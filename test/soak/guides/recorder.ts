import type { AddressInfo } from "node:net";
import { serve } from "../../../src/sandbox/server/node-handler.ts";

export type Call = { isCurl: boolean; method: string; path: string; status: number; body: unknown };

// What belongs to one connection.
const OWN = ["connection", "transfer-encoding", "content-length", "content-encoding"];

/** Stands before the API, and keeps what is called and answered. */
export async function startRecorder(api: number) {
  const calls: Call[] = [];
  const server = await serve(async (request) => {
    const { method, url } = request;
    const { pathname: path, search } = new URL(url);
    const answer = await fetch(`http://localhost:${api}${path}${search}`, {
      method,
      headers: without(request.headers),
      ...(request.body && { body: await request.arrayBuffer() }),
      redirect: "manual",
    });
    const text = await answer.text();
    const isCurl = request.headers.get("User-Agent")?.startsWith("curl/") === true;
    calls.push({ isCurl, method, path, status: answer.status, body: asJson(text) });
    const body = answer.status === 204 ? null : text;
    return new Response(body, { status: answer.status, headers: without(answer.headers) });
  }, 0);
  return {
    calls,
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function without(headers: Headers): Headers {
  const others = new Headers(headers);
  for (const name of OWN) others.delete(name);
  return others;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
