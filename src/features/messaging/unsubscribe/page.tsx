import { html } from "hono/html";
import type { Subscriber } from "./unsubscribe.ts";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;color:#1c1f26;max-width:26em;margin:20vh auto;padding:0 16px;text-align:center}button{font:inherit;padding:.6em 1.4em;border:0;border-radius:6px;background:#1c1f26;color:#fff;cursor:pointer}";

/** The page with one button, and after it was pressed what that did. To look at it changes nothing. */
export function renderUnsubscribePage({ address, company, done }: Subscriber): string | Promise<string> {
  const title = done ? "Unsubscribed" : "Unsubscribe";
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${company}`}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <h1>{title}</h1>
        {done ? (
          <p>{`${company} sends no more marketing to ${address}. What concerns your own orders still comes.`}</p>
        ) : (
          <form method="post">
            <p>{`No more marketing from ${company} to ${address}?`}</p>
            <button type="submit">Unsubscribe</button>
          </form>
        )}
      </body>
    </html>
  );
  return html`<!DOCTYPE html>${page}`;
}
