import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Sent } from "#api/operations/page.ts";
import { SCRIPT_PATH } from "./script.ts";
import { STYLE } from "./style.ts";

export type VisitorLayout = {
  title: string;
  /** Whose page it is. */
  company: string;
  sent: Pick<Sent, "language" | "link">;
  children: Child;
  /** Behind the address of the record's own page. */
  path?: string;
  /** Of that address: what the page in the other language needs too. */
  query?: Record<string, string>;
  refresh?: { seconds: number; url: string };
  /** Another site's script that the page loads beside ours. */
  script?: string;
  /** What the script reads besides, as attributes of the page. */
  data?: Record<`data-${string}`, string>;
};

/** A page for a visitor: the company's name above, the other language below. */
export function renderVisitorLayout({
  title,
  company,
  sent,
  children,
  path = "",
  query = {},
  refresh,
  script,
  data = {},
}: VisitorLayout): string | Promise<string> {
  const { language, link } = sent;
  const [other, name] = language === "en" ? (["hi", "हिन्दी"] as const) : (["en", "English"] as const);
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh && (
          <noscript>
            <meta http-equiv="refresh" content={`${refresh.seconds};url=${refresh.url}`} />
          </noscript>
        )}
        <title>{`${title} · ${company}`}</title>
        <style>{raw(STYLE)}</style>
        {script && <script src={script} async />}
        <script src={SCRIPT_PATH} defer />
      </head>
      <body>
        <main {...data} data-next={refresh?.url} data-seconds={refresh?.seconds}>
          <p class="school" dir="auto">
            {company}
          </p>
          {children}
          <p>
            <a href={link(path, { ...query, lang: other })} lang={other} hreflang={other}>
              {name}
            </a>
          </p>
        </main>
      </body>
    </html>
  );
  return html`<!DOCTYPE html>${page}`;
}

/** A refusal as a sentence. */
export function Refusal({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="state refused" role="alert">
      {text}
    </p>
  );
}
