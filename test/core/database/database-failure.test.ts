import { afterEach, describe, expect, test, vi } from "vitest";
import { ATTEMPT_MS } from "#core/database/clients.ts";
import { classify } from "#core/database/failure.ts";
import { groupEnds, groupSteps, lastSucceeded } from "#core/database/group.ts";
import { bind } from "#core/database/protocol.ts";
import { openSender } from "#core/database/sender.ts";
// What sqld 0.24.32 answered to these batches.
import samples from "../../vectors/sqld-failures.json" with { type: "json" };

type Answer = { status: number; type?: string | null; body: unknown };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** How a write ends when the server answers it so. */
async function failureOf({ status, type, body }: Answer, statements: (typeof samples)[number]["statements"]) {
  const text = typeof body === "string" ? body : JSON.stringify(onlyBatch(body));
  const headers = { "content-type": type ?? "text/plain" };
  vi.stubGlobal("fetch", async () => new Response(text, { status, headers }));
  const batch = statements.map((statement) => {
    const { sql, args } = typeof statement === "string" ? { sql: statement, args: [] } : statement;
    return bind({ sql, params: args });
  });
  const steps = groupSteps([batch]);
  const sent = openSender()({ url: "https://sqld.example", token: "" }, steps, ATTEMPT_MS, lastSucceeded);
  return sent.then((reply) => {
    const [end] = groupEnds([batch], reply);
    return end !== undefined && "error" in end ? classify(end.error) : undefined;
  }, classify);
}

/** The answers were recorded with a client that stores texts and closes its stream in the same request. */
function onlyBatch(body: unknown): unknown {
  const { results } = Object(body);
  if (!Array.isArray(results)) return body;
  const isOfBatch = ({ type, response }: { type: string; response?: { type: string } }) =>
    type !== "ok" || response?.type === "batch";
  return { ...Object(body), results: results.filter(isOfBatch) };
}

describe("of a batch that sqld refused", () => {
  test.each(samples)("$name is $kind", async ({ kind, code, statements, answer }) => {
    expect(await failureOf(answer, statements)).toEqual(code === undefined ? { kind } : { kind, code });
  });
});

describe("of an answer that is none", () => {
  test.each([
    [400, "fault"],
    [408, "unknown"],
    [413, "fault"],
    [500, "unknown"],
    [502, "unknown"],
    [503, "unknown"],
    [504, "unknown"],
  ])("HTTP %i is %s", async (status, kind) => {
    expect(await failureOf({ status, body: "No" }, ["SELECT 1"])).toEqual({ kind });
  });

  test.each([
    ["database disk image is malformed", "damaged"],
    ["file is not a database", "damaged"],
    ["disk I/O error", "closed"],
    ["Internal Error", "unknown"],
  ])("HTTP 500 of a database that cannot be opened, with %j, is %s", async (error, kind) => {
    const answer = { status: 500, type: "application/json", body: { error } };
    expect(await failureOf(answer, ["SELECT 1"])).toEqual({ kind });
  });

  test.each([
    ["cut off", '{"baton":null,"resul'],
    ["of another protocol", '{"baton":null,"results":[{"type":"new"}]}'],
    ["without the batch's result", '{"baton":null,"results":[]}'],
  ])("a 200 %s is unknown", async (_name, body) => {
    expect(await failureOf({ status: 200, type: "application/json", body }, ["SELECT 1"])).toEqual({
      kind: "unknown",
    });
  });

  test.each(["SQLITE_BUSY", "SQLITE_LOCKED", "TRANSACTION_BUSY", "STREAM_EXPIRED"])(
    "%s is busy",
    async (code) => {
      const body = { message: "Not now", code };
      expect(await failureOf({ status: 400, type: "application/json", body }, ["SELECT 1"])).toEqual({
        kind: "busy",
      });
    },
  );

  test("whatever fetch throws is unknown", () => {
    for (const error of [new Error("Network connection lost."), new DOMException("", "TimeoutError"), "lost"])
      expect(classify(error)).toEqual({ kind: "unknown" });
  });
});
