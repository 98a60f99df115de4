import { html } from "hono/html";

const NOTICES: Record<number, readonly [title: string, text: string]> = {
  404: ["Not found", "There is nothing at this address. Please check the link with whoever sent it."],
  410: ["Cancelled", "This document was cancelled. Please ask whoever sent it for a new one."],
  429: ["One moment", "This page was opened too often. Please try again in a minute."],
};
const UNAVAILABLE = ["Not available now", "Something went wrong on our side. Please try again in a minute."];

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;color:#1c1f26;max-width:26em;margin:20vh auto;padding:0 16px;text-align:center}";

/** What a visitor reads in place of a page, by the status of the reply. */
export function noticePage(status: number): string | Promise<string> {
  const [title, text] = NOTICES[status] ?? UNAVAILABLE;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <h1>{title}</h1>
        <p>{text}</p>
      </body>
    </html>
  );
  return html`<!DOCTYPE html>${page}`;
}
