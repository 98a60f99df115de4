import { expect, test } from "vitest";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { Ctx } from "#core/context.ts";
import type { RecordParams } from "#shared/fields/ids.ts";

const record = {
  schema: z.object({ id: z.string() }),
  render: ({ id }: { id: number }) => ({ id: `${id}` }),
};
const summary = "Do it";
const readOne = async (_ctx: Ctx, { id }: RecordParams) => ({ id });
const readName = async (_ctx: Ctx, { id }: RecordParams) => ({ name: `${id}` });
const make = async (_ctx: Ctx, _params: unknown, { id }: { id: number }) => ({ id });

test("a literal says what is special: the rest comes of the kind, the router and the area", () => {
  const router = new Router("Refunds", "/due", { record })
    .get({ readOne }, "/:id", { summary })
    .create({ makeOne: make }, "/", { summary, body: z.object({ id: z.int() }) });
  expect(router.operations).toMatchObject([
    { id: "readOne", method: "get", path: "/refunds/:company/due/:id", scope: "payments:read", status: 200 },
    { id: "makeOne", method: "post", path: "/refunds/:company/due", scope: "refunds:write", status: 201 },
  ]);
  // @ts-expect-error: the path has no id
  router.get({ readOne }, "/", { summary });
  // @ts-expect-error: the verb gives no row of the record
  router.get({ readName }, "/:id", { summary });
  // @ts-expect-error: no body is sent
  router.post({ make }, "/", { summary });
  // @ts-expect-error: the body has another type
  router.post({ make }, "/", { summary, body: z.object({ id: z.string() }) });
  // @ts-expect-error: there is no such area, and so no scope
  new Router("Refund", "/due");
});
