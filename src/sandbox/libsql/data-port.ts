import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRule, Faults } from "./faults.ts";
import { HttpRefusal, parseJson, pathOf, readBody, requireToken, sendJson, sendText } from "./http.ts";
import type { Namespaces } from "./namespaces.ts";
import { refusePipeline, runPipeline } from "./pipeline.ts";
import { type HranaPipeline, ProtocolError, StatementError } from "./protocol.ts";

const PATH = /^(?:\/dev\/([^/]+))?\/(v[23]\/pipeline|v[23]|version|health)$/;
const STREAM_EXPIRED = { message: "The stream has expired due to inactivity", code: "STREAM_EXPIRED" };

type Deps = { namespaces: Namespaces; token: string; faults: Faults; requests: Map<string, number> };

/** Makes the handler of the port that serves SQL. */
export function createDataHandler({ namespaces, token, faults, requests }: Deps) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const match = PATH.exec(pathOf(request));
    if (!match) throw new HttpRefusal(404, { error: "Not found" });
    const [, namespace = "default", endpoint = ""] = match;
    if (!endpoint.endsWith("/pipeline"))
      return sendText(response, endpoint === "health" ? "ok" : "sandbox sqld");
    if (request.method !== "POST") throw new HttpRefusal(405, { error: "Only POST is allowed" });

    const text = await readBody(request);
    requireToken(request, token);
    requireNamespace(namespace);
    requests.set(namespace, (requests.get(namespace) ?? 0) + 1);
    const pipeline = parsePipeline(text);
    const fault = faults.next(namespace, pipeline);

    if (fault && (await preempt(fault, pipeline, response))) return;
    requireNamespace(namespace);
    answer(response, run(namespace, pipeline), fault);
  };

  function requireNamespace(namespace: string): void {
    if (namespaces.exists(namespace)) return;
    throw new HttpRefusal(404, { error: `Namespace \`${namespace}\` doesn't exist` });
  }

  function run(namespace: string, pipeline: HranaPipeline): object {
    try {
      return runPipeline(namespaces.open(namespace), pipeline);
    } catch (error) {
      if (error instanceof ProtocolError) throw new HttpRefusal(400, { error: error.message });
      throw error;
    }
  }
}

// Interactive transactions are banned, so no baton is ever given out: one that comes back is foreign.
function parsePipeline(text: string): HranaPipeline {
  const pipeline = parseJson(text) as Partial<HranaPipeline> | null;
  if (!Array.isArray(pipeline?.requests)) throw new HttpRefusal(400, { error: "The body is not a pipeline" });
  if (pipeline.baton != null) throw new HttpRefusal(400, STREAM_EXPIRED);
  return { requests: pipeline.requests };
}

/** Applies a fault that strikes before the pipeline is run; true where it takes the place of the run. */
async function preempt(
  fault: FaultRule,
  pipeline: HranaPipeline,
  response: ServerResponse,
): Promise<boolean> {
  const { kind, status = 500, code = "SQLITE_BUSY", delay_ms = 0 } = fault;
  switch (kind) {
    case "delay":
      await sleep(delay_ms);
      return false;
    case "reset_before":
      response.socket?.resetAndDestroy();
      return true;
    case "status":
      throw new HttpRefusal(status, { error: `Fault: HTTP ${status}` });
    case "error":
      if (code === STREAM_EXPIRED.code) throw new HttpRefusal(400, STREAM_EXPIRED);
      sendJson(response, 200, refusePipeline(pipeline, new StatementError(`Fault: ${code}`, code)));
      return true;
    default:
      return false;
  }
}

function answer(response: ServerResponse, body: object, fault: FaultRule | undefined): void {
  switch (fault?.kind) {
    case "reset_after":
      response.socket?.resetAndDestroy();
      return;
    case "hang_after":
      return;
    case "truncate": {
      const bytes = Buffer.from(JSON.stringify(body));
      response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
      return;
    }
    default:
      sendJson(response, 200, body);
  }
}
