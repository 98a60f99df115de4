import { html, raw } from "hono/html";
import { ICON } from "#api/page-parts/icon.ts";

const STYLE =
  "body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 16px}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}dd{margin:0 0 .75rem}pre{overflow-x:auto;padding:12px;border:1px solid #8888;border-radius:6px;font:.85em/1.5 ui-monospace,monospace}:root{color-scheme:light dark}";

/** A small page of the host's own, with what it needs of style besides. */
const smallPage = (title: string, content: unknown, style = "") => {
  const whole = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href={ICON} />
        <style>{raw(STYLE + style)}</style>
      </head>
      <body>{content}</body>
    </html>
  );
  return html`<!DOCTYPE html>${whole}`;
};

/** A small page among the documents: the guides, the reference and the error codes. */
export const documentPage = (title: string, content: unknown, style = "") =>
  smallPage(
    title,
    <>
      <nav>
        <a href="/docs/guides">Guides</a> · <a href="/docs">Reference</a> · <a href="/errors">Errors</a>
      </nav>
      {content}
    </>,
    style,
  );

/** What stands at the root of the host: where it goes on from here. */
export function frontPage(origin: string): string | Promise<string> {
  return smallPage(
    "Company Operations API",
    <main>
      <h1>Company Operations API</h1>
      <dl>
        <dt>
          <a href="/docs">Reference</a>
        </dt>
        <dd>every operation, its fields and its errors, with examples to copy</dd>
        <dt>
          <a href="/docs/guides">Guides</a>
        </dt>
        <dd>
          from nothing to a first invoice, a shop, a booking page; for programs,{" "}
          <a href="/llms.txt">llms.txt</a>
        </dd>
        <dt>
          <code>{`${origin}/v1`}</code>
        </dt>
        <dd>
          the base address; <code>{`${origin}/api/v1`}</code> serves the same
        </dd>
        <dt>
          <a href="/v1/openapi.json">OpenAPI document</a>
        </dt>
        <dd>
          for clients and tools; for those that know no OpenAPI 3.1, <a href="/v1/openapi-3.0.json">in 3.0</a>
        </dd>
        <dt>
          <a href="/health">Health</a>
        </dt>
        <dd>whether the service answers</dd>
      </dl>
    </main>,
  );
}
