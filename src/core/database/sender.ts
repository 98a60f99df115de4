import { LibsqlError } from "@libsql/client/http";
import { askOutside } from "../outside-request.ts";
import type { DatabaseAddress } from "./clients.ts";
import { type BatchReply, errorOf, type PipelineReply, type Step } from "./protocol.ts";
import { type Stream, Streams } from "./streams.ts";

/**
 * Sends the steps as one batch in one request. `hasEnded`: whether no transaction of it can be left open. Throws where the
 * batch as a whole ended with an error, or no answer came.
 */
export type SendBatch = (
  address: DatabaseAddress,
  steps: readonly Step[],
  timeoutMs: number,
  hasEnded: (reply: BatchReply) => boolean,
) => Promise<BatchReply>;

type Post = (body: { baton: string | null; requests: readonly object[] }) => Promise<Response>;

const CLOSE = { type: "close" };
const MOST_SHOWN = 200;

/** A sender of batches over streams that stay open: sqld parses the whole schema for each new one. */
export function openSender(streams = new Streams()): SendBatch {
  return async ({ url, token }, steps, timeoutMs, hasEnded) => {
    const stream = streams.take(url, token);
    // The name that the stream has after an answer; the one that was sent is never sent again.
    let baton: string | null = null;
    try {
      const post = poster(url, token, AbortSignal.timeout(timeoutMs));
      const reply = await ask(post, stream, { type: "batch", batch: { steps } });
      const batch = batchOf(reply, steps.length);
      const isClean = !(batch instanceof LibsqlError) && hasEnded(batch);
      if (isClean) baton = reply.baton;
      else if (reply.baton !== null) await close(post, reply.baton);
      if (batch instanceof LibsqlError) throw batch;
      return batch;
    } finally {
      streams.giveBack(url, token, stream, baton);
    }
  };
}

function poster(url: string, token: string, signal: AbortSignal): Post {
  const pipeline = `${url.replace(/^libsql:/, "https:").replace(/\/?$/, "/")}v2/pipeline`;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return (body) => askOutside(pipeline, { method: "POST", headers, body: JSON.stringify(body), signal });
}

async function ask(post: Post, { baton, isKept }: Stream, batch: object): Promise<PipelineReply> {
  const requests = isKept ? [batch] : [batch, CLOSE];
  let response = await post({ baton, requests });
  // The stream has expired, or the server was started anew: nothing was run.
  if (response.status === 400 && baton !== null) {
    await response.body?.cancel();
    response = await post({ baton: null, requests });
  }
  if (!response.ok) throw await errorOfResponse(response);
  return response.json();
}

/** How the batch ended; as a whole with an error, where none of its steps says how. */
function batchOf({ results }: PipelineReply, steps: number): BatchReply | LibsqlError {
  const [{ error, response }] = results as [PipelineReply["results"][number]];
  if (error !== undefined) return errorOf(error);
  const result = response?.result;
  if (result?.step_results.length !== steps || result.step_errors.length !== steps)
    throw new Error("The database answered with something else than the batch's steps");
  return result;
}

async function close(post: Post, baton: string): Promise<void> {
  const response = await post({ baton, requests: [CLOSE] }).catch(() => undefined);
  await response?.body?.cancel();
}

async function errorOfResponse(response: Response): Promise<LibsqlError> {
  const { status, headers } = response;
  const text = await response.text();
  const body: unknown = headers.get("Content-Type") === "application/json" ? JSON.parse(text) : undefined;
  const { message, code } = Object(body);
  if (typeof message === "string") return errorOf({ message, code });
  const cause = Object.assign(new Error(text), { status });
  return new LibsqlError(
    `Server returned HTTP status ${status}: ${text.slice(0, MOST_SHOWN)}`,
    "SERVER_ERROR",
    undefined,
    undefined,
    cause,
  );
}
