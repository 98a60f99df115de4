import { Hono } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { readBytes } from "#api/bodies/read-body.ts";
import { renderError } from "#api/replies/errors.ts";
import { type App, newState } from "#api/request-state.ts";

afterEach(() => vi.restoreAllMocks());

test("a body that ends early is no fault of ours: no reply is owed, and the log says client_closed", async () => {
  const fault = vi.spyOn(console, "error");
  let logged: string | undefined;
  const app = new Hono<App>()
    .use(async (c, next) => {
      c.set("state", newState());
      await next();
      logged = c.get("problem");
    })
    .post("/", async (c) => {
      await readBytes(c.req.raw, 1_000);
      return c.body("read");
    })
    .onError(renderError);
  let pulls = 0;
  const body = new ReadableStream({
    type: "bytes",
    pull(controller) {
      pulls += 1;
      if (pulls === 1) controller.enqueue(new Uint8Array(10));
      else controller.error(new Error("Network connection lost."));
    },
  });
  const answer = await app.request("/", { method: "POST", body, duplex: "half" } as RequestInit);
  expect([answer.status, await answer.text(), logged]).toEqual([499, "", "client_closed"]);
  expect(fault).not.toHaveBeenCalled();
});
