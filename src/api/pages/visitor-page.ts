import type { Handler, Hono, NotFoundHandler } from "hono";
import { decodeText, readBytes } from "#api/bodies/read-body.ts";
import type { Form, Sent, Show, Shown } from "#api/operations/page.ts";
import { recordProblem, renderError } from "#api/replies/errors.ts";
import { commonHeaders, fileReply } from "#api/replies/replies.ts";
import type { Ctx } from "#core/context.ts";
import { acceptedLanguage, knownLanguage, type Language } from "#shared/text/language.ts";
import { pageContext } from "../call-context.ts";
import type { App, RequestContext } from "../request-state.ts";
import { runOnce } from "../run-operation.ts";
import { refuseUnrouted } from "../unrouted.ts";
import { noticeReply, openPage, PER_ADDRESS, pageReply } from "./hosted-page.ts";

const OWN_SCRIPT = "script-src 'self'; connect-src 'self'";
const FORM_LIMIT = 16 * 1024;
const LONGEST_ONCE = 100;

/** Serves a page at `/:letter/:company/:token` and below, by its own read, which changes nothing. */
export function visitorPage(show: Show, quota = PER_ADDRESS): Handler<App> {
  return (c) =>
    answer(c, async () => {
      const { company, token } = await openPage(c, quota.name, quota);
      const ctx = await pageContext(c, company, []);
      const fields = new URL(c.req.url).searchParams;
      return show(ctx, sentBy(c, ctx, token, fields));
    });
}

/** Takes a form of such a page: sent twice it is one operation, by the random value that it carries. */
export function visitorForm<Row>({ operation, changes, act, done, refused }: Form<Row>): Handler<App> {
  return (c) =>
    answer(c, async () => {
      const { company, token } = await openPage(c, "page", PER_ADDRESS);
      const text = decodeText(await readBytes(c.req.raw, FORM_LIMIT));
      const fields = new URLSearchParams(text);
      const once = fields.get("once") ?? "";
      const isOnce = once !== "" && once.length <= LONGEST_ONCE;
      const submission = isOnce ? { operation, place: [token, text] } : undefined;
      const ctx = await pageContext(c, company, changes, submission);
      const sent = sentBy(c, ctx, token, fields);
      try {
        const { row } = await runOnce(c, ctx, () => act(ctx, sent));
        return await done(ctx, sent, row as Row);
      } catch (error) {
        const problem = recordProblem(error, c);
        if (problem.status === 404 || problem.status >= 500) throw problem;
        return { status: problem.status, ...(await refused(ctx, sent, problem)) };
      }
    });
}

/** Answers an address that no page has with a notice, as people read it. */
export function missingPage(app: Hono<App>): NotFoundHandler<App> {
  return async (c) => {
    if (c.req.method === "GET") return answer(c, () => refuseUnrouted(app, c));
    try {
      return await refuseUnrouted(app, c);
    } catch (error) {
      return renderError(error, c);
    }
  };
}

async function answer(c: RequestContext, show: () => Promise<Shown>): Promise<Response> {
  try {
    const shown = await show();
    if ("goTo" in shown) return await pageReply(c, 303, "", { Location: shown.goTo });
    if ("file" in shown) {
      const reply = await fileReply(c, shown.file);
      reply.headers.set("X-Robots-Tag", "noindex");
      return reply;
    }
    const policy = policyOf(c, shown.sources);
    return await pageReply(c, shown.status ?? 200, await shown.page, { ...policy, ...shown.headers });
  } catch (error) {
    return noticeReply(c, error, languageOf(c));
  }
}

// A browser holds what a form's answer redirects to against `form-action` too, and gateways have hosts of many names.
function policyOf(c: RequestContext, sources = OWN_SCRIPT): Record<string, string> {
  const isLocal = new URL(c.req.url).protocol === "http:";
  const action = `form-action 'self' https:${isLocal ? " http:" : ""}`;
  return {
    "Content-Security-Policy": `default-src 'none'; ${sources}; style-src 'unsafe-inline'; base-uri 'none'; ${action}; frame-ancestors 'none'`,
  };
}

function sentBy(c: RequestContext, { origin, company }: Ctx, token: string, fields: URLSearchParams): Sent {
  const base = `${origin}/${c.req.path.split("/")[1]}/${company.slug}/${token}`;
  const lang = knownLanguage(c.req.query("lang") ?? null);
  const link = (path: string, query: Record<string, string> = {}) => {
    const asked = new URLSearchParams({ ...(lang && { lang }), ...query });
    return base + path + (asked.size > 0 ? `?${asked}` : "");
  };
  const ifNoneMatch = c.req.header("If-None-Match") ?? "";
  return { token, fields, base, link, language: languageOf(c), ifNoneMatch };
}

/** What the visitor has chosen by `lang`, else what their browser asks for. */
function languageOf(c: RequestContext): Language {
  return (
    knownLanguage(c.req.query("lang") ?? null) ?? acceptedLanguage(c.req.header("Accept-Language") ?? "")
  );
}

/** Serves the script of such pages. */
export function visitorScript(text: string): Handler<App> {
  return async (c) =>
    new Response(text, {
      headers: {
        ...(await commonHeaders(c)),
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": "public, max-age=300",
      },
    });
}
