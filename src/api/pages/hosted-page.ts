import type { Handler } from "hono";
import { admitAddress } from "#api/access/admit-address.ts";
import { recordProblem } from "#api/replies/errors.ts";
import { commonHeaders } from "#api/replies/replies.ts";
import type { Actor, FileCtx, HmacCtx, SystemWriteCtx } from "#core/context.ts";
import type { Quota } from "#core/coordination.ts";
import { Database } from "#core/database/database.ts";
import { Folder } from "#core/files/folder.ts";
import { hmacOf } from "#core/secrets/hmac.ts";
import { NO_CHANGES } from "#core/write/events.ts";
import { Problem } from "#shared/problem.ts";
import { knownLanguage, type Language } from "#shared/text/language.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { upgraderOf } from "#tenancy/context.ts";
import { type CompanyRecord, findCompany } from "#tenancy/directory.ts";
import { upgradeBefore } from "#tenancy/migrations/becomes-ready.ts";
import { directoryOf } from "../environment.ts";
import type { App, RequestContext } from "../request-state.ts";
import { noticePage } from "./notice.tsx";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const PAGE: Actor = { type: "system", id: "page", name: "page" };
/** How often an address may open pages in a minute. */
export const PER_ADDRESS = { name: "page", limit: 60 };
// A mail program unsubscribes many people from few addresses.
const PER_ADDRESS_ONE_CLICK = { name: "page", limit: 1_200 };

type Find<Row> = (ctx: SystemWriteCtx & HmacCtx & FileCtx, token: string) => Promise<Row>;
type Render<Row> = (row: Row, language: Language) => string | Promise<string>;
/** What a page may do besides showing itself: send a form, run a script of one fixed text, show images that it holds. */
type Allowed = { hasForm?: boolean; script?: string };

/** Serves a record at its address `/:company/:token`: a page, or a notice for any error. */
export function hostedPage<Row>(find: Find<Row>, render: Render<Row>, allowed: Allowed = {}): Handler<App> {
  let policy: Promise<string> | undefined;
  return async (c) => {
    const language = knownLanguage(c.req.query("lang") ?? null) ?? "en";
    try {
      const body = await render(await lookUp(c, find), language);
      policy ??= policyOf(allowed);
      return await pageReply(c, 200, body, { "Content-Security-Policy": await policy });
    } catch (error) {
      return noticeReply(c, error, language);
    }
  };
}

async function lookUp<Row>(c: RequestContext, find: Find<Row>): Promise<Row> {
  const { startedAt, requestId } = c.get("state");
  const isPost = c.req.method === "POST";
  const quota = isPost ? PER_ADDRESS_ONE_CLICK : PER_ADDRESS;
  const { company, token } = await openPage(c, isPost ? "one-click" : "page", quota);
  const directory = directoryOf(c.env);
  const database = Database.ofCompany(
    company.address,
    upgradeBefore(() => upgraderOf(c.env, directory), company, startedAt),
  );
  const now = startedAt + company.clockOffsetMs;
  const { masterKeys } = directory;
  const hmacs = (purpose: string, text: string) =>
    Promise.all(masterKeys.map((masterKey) => hmacOf(masterKey, purpose, text)));
  const files = (folder: string) => new Folder(c.env.FILES, folder, company.id);
  const read = { company, database, db: database.build, now, hmacs, files };
  // What changes nothing that events report has none to send.
  const nothing = () => undefined;
  const queues = { queueDeliveries: nothing, queueNotifications: nothing };
  return find({ ...read, ...queues, actor: PAGE, requestId, changes: NO_CHANGES }, token);
}

/**
 * The company and the token in a page's address, once the visitor's address group is admitted. An unknown company, a
 * suspended one and what is no token are answered as an unknown token is.
 */
export async function openPage(
  c: RequestContext,
  line: string,
  quota: Quota,
): Promise<{ company: CompanyRecord; token: string }> {
  const { startedAt } = c.get("state");
  const admitted = admitAddress(c, line, quota);
  const slug = c.req.param("company") ?? "";
  const token = (c.req.param("token") ?? "").replace(/\.ics$/, "");
  const wellFormed = isCompanySlug(slug) && TOKEN.test(token);
  const company = wellFormed ? await findCompany(directoryOf(c.env), slug, startedAt, admitted) : null;
  await admitted;
  if (company?.status !== "active") throw new Problem("not_found");
  return { company, token };
}

/** A policy that loads nothing from elsewhere, so that no third party learns who opens a page. */
async function policyOf({ hasForm = false, script }: Allowed): Promise<string> {
  const form = hasForm ? "'self'" : "'none'";
  const own = script === undefined ? "" : ` script-src 'sha256-${await hashOf(script)}'; img-src data:;`;
  return `default-src 'none';${own} style-src 'unsafe-inline'; base-uri 'none'; form-action ${form}; frame-ancestors 'none'`;
}

async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

/** Answers an error with a notice, as people read it. */
export async function noticeReply(c: RequestContext, error: unknown, language: Language): Promise<Response> {
  const { status, details } = recordProblem(error, c);
  return pageReply(c, status, await noticePage(status, language), details.headers);
}

/** Answers with a page that no cache keeps, no search engine indexes and no other page frames. */
export async function pageReply(
  c: RequestContext,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  // A 304 has no body at all.
  return new Response(body === "" ? null : body, {
    status,
    headers: {
      ...(await commonHeaders(c)),
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
      "Referrer-Policy": "no-referrer",
      "Content-Security-Policy": await policyOf({}),
      ...headers,
    },
  });
}
