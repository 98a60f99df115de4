import type { Handler } from "hono";
import { findCompany } from "#control/directory.ts";
import type { Ctx } from "#platform/context.ts";
import { admit, requireAdmission } from "#platform/coordination.ts";
import { Problem } from "#shared/problem.ts";
import { isCompanySlug } from "#shared/slug.ts";
import { clientAddress } from "./authenticate.ts";
import { readBytes } from "./body.ts";
import { systemContext } from "./call-context.ts";
import { directoryOf, environmentOf } from "./environment.ts";
import { jsonReply } from "./replies.ts";
import type { App } from "./state.ts";

/** What an outside service sent: bytes as they came, for its signature is over them. */
type Callback = {
  params: Record<string, string>;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  /** Epoch milliseconds by the real clock: the outside world's timestamps know no other. */
  receivedAt: number;
};

/** Acts on a callback and gives the body of the 200 that answers it. Throws a problem for any other answer. */
type Receive = (ctx: Ctx, callback: Callback) => Promise<object>;

const PER_ADDRESS = { name: "callback", limit: 1_200 };

/** Serves the callbacks about one company, `:company` in the path. `name` stands in its audit log. */
export function companyCallback(name: string, limit: number, receive: Receive): Handler<App> {
  return async (c) => {
    const { startedAt } = c.get("state");
    const admission = admit(c.env.RATE_LIMITER, `callback:${clientAddress(c)}`, [PER_ADDRESS], startedAt);
    const { company: slug = "", ...params } = c.req.param() as Record<string, string>;
    const company = isCompanySlug(slug) ? await findCompany(directoryOf(c.env), slug, startedAt) : null;
    await requireAdmission(admission);
    if (company?.status !== "active") throw new Problem("company_not_found");
    const body = await readBytes(c.req.raw, limit);
    const ctx = systemContext(environmentOf(c), company, name);
    return jsonReply(
      c,
      200,
      await receive(ctx, { params, headers: c.req.raw.headers, body, receivedAt: startedAt }),
    );
  };
}
