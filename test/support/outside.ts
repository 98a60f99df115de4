import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Miniflare } from "miniflare";
import { answerImage } from "./images.ts";
import { serveOwn } from "./own-server.ts";
import { receivers } from "./receivers.ts";

/** The token of a visitor who solved the puzzle. */
export const HUMAN = "a-human";
/** A token that its verifier has no answer to. */
export const UNHEARD = "unheard";

export type Outside = Awaited<ReturnType<typeof startOutside>>;

// By the first label of a name; any other has a public address.
const RECORDS: Record<string, [type: number, data: string][]> = {
  nowhere: [],
  loopback: [[1, "127.0.0.1"]],
  half: [
    [1, "93.184.215.14"],
    [1, "10.0.0.8"],
  ],
  metadata: [[1, "169.254.169.254"]],
  mapped: [[28, "::ffff:10.0.0.8"]],
  unique: [[28, "fd00::8"]],
  alias: [
    [5, "other.example.com."],
    [1, "93.184.215.14"],
  ],
};

// RFC 1035, 4.1.1: its servers failed, and there is no such name.
const STATUSES: Record<string, number> = { broken: 2, nowhere: 3 };

/** The records of a name, as resolvers over HTTPS give them in JSON. */
function recordsOf(query: URLSearchParams): object {
  const [label = ""] = (query.get("name") ?? "").split(".");
  const asked = query.get("type") === "A" ? 1 : 28;
  const known = RECORDS[label] ?? [[1, "93.184.215.14"]];
  const Answer = known
    .filter(([type]) => type === asked || type === 5)
    .map(([type, data]) => ({ name: query.get("name"), type, TTL: 300, data }));
  return { Status: STATUSES[label] ?? 0, Answer };
}

/** What stands beside the service in a test: the verifier of puzzles, a resolver of names, and a window on the bucket of files, through which one gets lost. */
export async function startOutside() {
  let worker: Miniflare | undefined;
  const receive = receivers();
  const server = await serveOwn(async (request, response) => {
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
  return {
    ...server,
    watch(watched: Miniflare) {
      worker = watched;
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
