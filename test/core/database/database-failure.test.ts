import { createClient } from "@libsql/client/http";
import { afterEach, describe, expect, test } from "vitest";
import { classify } from "#core/database/failure.ts";
// What sqld 0.24.32 answered to these batches.
import samples from "../../vectors/sqld-failures.json" with { type: "json" };

type Answer = { status: number; type?: string | null; body: unknown };

// The client leaves a step's later errors unhandled, as when a lock is stolen; a Worker only logs that.
const ignore = () => undefined;
process.on("unhandledRejection", ignore);
afterEach(() => new Promise((resolve) => setImmediate(resolve)));

/** What the client throws when the server answers a write so. */
async function failureOf({ status, type, body }: Answer, statements: (typeof samples)[number]["statements"]) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": type ?? "text/plain" };
  const client = createClient({
    url: "https://sqld.example",
    fetch: async () => new Response(text, { status, headers }),
  });
  return client.batch(statements, "write").then(() => undefined, classify);
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
