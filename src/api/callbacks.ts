import type { Handler } from "hono";
import type { Callback, FindNamed } from "#api/operations/callback.ts";
import type { Ctx } from "#core/context.ts";
import { equalTexts } from "#core/secrets/hash.ts";
import { Problem } from "#shared/problem.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { routeCallback } from "#tenancy/chatapp-numbers.ts";
import { type CompanyRecord, findCompany } from "#tenancy/directory.ts";
import { admitAddress } from "./access/admit-address.ts";
import { readBytes } from "./bodies/read-body.ts";
import { systemContext } from "./call-context.ts";
import { directoryOf, environmentOf } from "./environment.ts";
import { commonHeaders, jsonReply } from "./replies/replies.ts";
import type { App, RequestContext } from "./request-state.ts";

/** Acts on a callback and gives the body of the 200 that answers it. Throws a problem for any other answer. */
type Receive = (ctx: Ctx, callback: Callback) => Promise<object>;

type ReceiveShared = (find: FindNamed, callback: Callback, secret: string | undefined) => Promise<object>;

const PER_COMPANY = { name: "callback", limit: 1_200 };
// All companies' callbacks of one provider come from few addresses.
const PER_ADDRESS = { name: "callback", limit: 60_000 };

/** Serves the callbacks about one company, `:company` in the path. `name` stands in its audit log. */
export function companyCallback(
  name: string,
  limit: number,
  changes: readonly ResourceName[],
  receive: Receive,
): Handler<App> {
  return async (c) => {
    const { startedAt } = c.get("state");
    const { company: slug = "", ...params } = c.req.param() as Record<string, string>;
    const admitted = Promise.all([
      admitAddress(c, "callback", PER_ADDRESS),
      ...(isCompanySlug(slug) ? [admitAddress(c, `callback:${slug}`, PER_COMPANY)] : []),
    ]);
    const company = isCompanySlug(slug)
      ? await findCompany(directoryOf(c.env), slug, startedAt, admitted)
      : null;
    await admitted;
    if (company?.status !== "active") throw new Problem("company_not_found");
    const callback = await callbackOf(c, params, limit);
    const ctx = systemContext(environmentOf(c), company, name, changes);
    return jsonReply(c, 200, await receive(ctx, callback));
  };
}

/** Serves the chat-app's callbacks, which name companies only in their body. */
export function chatappCallback(
  limit: number,
  changes: readonly ResourceName[],
  receive: ReceiveShared,
): Handler<App> {
  return async (c) => {
    await admitAddress(c, "callback", PER_ADDRESS);
    const { startedAt } = c.get("state");
    const environment = environmentOf(c);
    const contextOf = (company: CompanyRecord) => systemContext(environment, company, "chatapp", changes);
    const find: FindNamed = async (ids, numbers) => {
      const { byId, byNumber } = await routeCallback(directoryOf(c.env), ids, numbers, startedAt);
      return { byId: mapValues(byId, contextOf), byNumber: mapValues(byNumber, contextOf) };
    };
    const callback = await callbackOf(c, {}, limit);
    return jsonReply(c, 200, await receive(find, callback, c.env.CHATAPP_APP_SECRET));
  };
}

/** Answers the chat-app's question whether this address is ours: its challenge, for the token agreed on. */
export const verifyChatapp: Handler<App> = async (c) => {
  const expected = c.env.CHATAPP_VERIFY_TOKEN;
  const { "hub.mode": mode, "hub.verify_token": token = "", "hub.challenge": challenge = "" } = c.req.query();
  const known = expected !== undefined && expected !== "" && (await equalTexts(token, expected));
  if (!known || mode !== "subscribe") throw new Problem("invalid_signature", { status: 403 });
  const headers = { ...(await commonHeaders(c)), "Content-Type": "text/plain; charset=utf-8" };
  return new Response(challenge, { headers });
};

async function callbackOf(
  c: RequestContext,
  params: Record<string, string>,
  limit: number,
): Promise<Callback> {
  const { method, url, headers } = c.req.raw;
  const { pathname, search } = new URL(url);
  // A provider signs the address that it was given, whatever stands before this Worker.
  const given = environmentOf(c).origin + pathname + search;
  const { startedAt: receivedAt } = c.get("state");
  return { params, method, url: given, headers, body: await readBytes(c.req.raw, limit), receivedAt };
}

function mapValues<Key, From, To>(map: Map<Key, From>, change: (value: From) => To): Map<Key, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
