import { median } from "../measure/measure.ts";
import { processorMs } from "../measure/processor.ts";
import type { Sqld } from "../setup/sqld.ts";

/** What one request takes: wall time (median) and processor time of sqld, in ms. */
export type Cost = { wallMs: number; processorMs: number };

type Reply = {
  baton: string | null;
  results: { type: string; response?: { result?: { step_errors?: (object | null)[] } } }[];
};

/** Sends requests (each the protocol's JSON of one pipeline) one after the other over one open stream. */
export async function costOf(sqld: Sqld, url: string, pipelines: readonly string[][]): Promise<Cost> {
  const walls: number[] = [];
  let baton: string | null = null;
  const send = async (requests: readonly string[]) => {
    const named: string = baton === null ? "" : `"baton":${JSON.stringify(baton)},`;
    const response = await fetch(`${url}v2/pipeline`, {
      method: "POST",
      headers: { Authorization: `Bearer ${sqld.token}`, "Content-Type": "application/json" },
      body: `{${named}"requests":[${requests.join(",")}]}`,
    });
    if (!response.ok) throw new Error(`sqld answered ${response.status}: ${await response.text()}`);
    const reply = (await response.json()) as Reply;
    baton = reply.baton;
    const errors = reply.results.flatMap(({ response: one }) => one?.result?.step_errors ?? []);
    const failed = errors.find((error) => error !== null);
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
  };
  // Opens the stream, for which sqld reads the schema.
  await send(['{"type":"execute","stmt":{"sql":"SELECT 1","want_rows":true}}']);
  const before = await processorMs(sqld.pid);
  for (const requests of pipelines) {
    const startedAt = performance.now();
    await send(requests);
    walls.push(performance.now() - startedAt);
  }
  const after = await processorMs(sqld.pid);
  return { wallMs: median(walls), processorMs: (after - before) / pipelines.length };
}

/** A transaction of these statements, as the protocol's JSON. */
export function transaction(...statements: string[]): string[] {
  const steps = ["BEGIN IMMEDIATE", ...statements, "COMMIT"].map((sql, index) => ({
    ...(index === 0 ? {} : { condition: { type: "ok", step: index - 1 } }),
    stmt: { sql, want_rows: false },
  }));
  return [JSON.stringify({ type: "batch", batch: { steps } })];
}
