import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Miniflare } from "miniflare";
import { answerImage } from "./images.ts";
import { recordsOf } from "./names.ts";
import { receivers } from "./receivers.ts";

/** The token of a visitor who solved the puzzle. */
export const HUMAN = "a-human";
/** A token that its verifier has no answer to. */
export const UNHEARD = "unheard";

export type Outside = { url: string; watch: (worker: Miniflare) => void; stop: () => Promise<void> };

/** What stands beside the service in a test: the verifier of puzzles, a resolver of names, and a window on the bucket of files, through which one gets lost. */
export async function startOutside(): Promise<Outside> {
  let worker: Miniflare | undefined;
  const receive = receivers();
  const server = createServer(async (request, response) => {
    if (await receive(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname.startsWith("/images/")) return void answerImage(pathname, response);
    const isName = pathname === "/dns-query";
    if (isName && searchParams.get("name")?.startsWith("silent.")) return void response.writeHead(502).end();
    const answer = isName ? recordsOf(searchParams) : undefined;
    const reply = answer ?? (await (request.method === "POST" ? verdict(request) : paths(worker, request)));
    if (reply === undefined) return void response.writeHead(502).end();
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    watch: (watched) => {
      worker = watched;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function verdict(request: IncomingMessage): Promise<{ success: boolean } | undefined> {
  const token = new URLSearchParams(await text(request)).get("response");
  return token === UNHEARD ? undefined : { success: token === HUMAN };
}

/** The files whose paths begin so; a DELETE loses them, behind the service's back. */
async function paths(worker: Miniflare | undefined, request: IncomingMessage): Promise<string[]> {
  const prefix = new URL(request.url ?? "", "http://localhost").searchParams.get("prefix") ?? "";
  const bucket = await worker?.getR2Bucket("FILES");
  const { objects = [] } = (await bucket?.list({ prefix })) ?? {};
  const keys = objects.map(({ key }) => key);
  if (request.method === "DELETE") await bucket?.delete(keys);
  return keys;
}
