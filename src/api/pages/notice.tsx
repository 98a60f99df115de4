import { html } from "hono/html";
import type { Language } from "#shared/text/language.ts";

type Notice = readonly [title: string, text: string];
type Notices = Readonly<Record<number, Notice>> & Record<400 | 404 | 410 | 429, Notice>;

const ENGLISH: Notices = {
  400: ["Not understood", "What was sent could not be read. Please go back and try again."],
  404: ["Not found", "There is nothing at this address. Please check the link with its sender."],
  410: [
    "Cancelled",
    "This document was cancelled and no longer holds. Please ask its sender what holds now, and about the money if you have paid.",
  ],
  429: ["One moment", "This page was opened too often. Please try again in a minute."],
};
const HINDI: Notices = {
  400: ["समझ नहीं आया", "जो भेजा गया, वह पढ़ा नहीं जा सका। कृपया वापस जाकर फिर कोशिश करें।"],
  404: ["नहीं मिला", "इस पते पर कुछ नहीं है। कृपया लिंक भेजने वाले से उसे जाँच लें।"],
  410: [
    "रद्द",
    "यह दस्तावेज़ रद्द कर दिया गया है और अब मान्य नहीं है। कृपया भेजने वाले से पूछें कि अब क्या मान्य है, और भुगतान किया हो तो उसके बारे में भी।",
  ],
  429: ["एक मिनट", "यह पेज बहुत बार खोला गया। कृपया एक मिनट बाद फिर कोशिश करें।"],
};
const NOTICES: Record<Language, [Notices, ours: Notice]> = {
  en: [ENGLISH, ["Not available now", "Something went wrong on our side. Please try again in a minute."]],
  hi: [HINDI, ["अभी उपलब्ध नहीं", "हमारी ओर कुछ गड़बड़ हो गई। कृपया एक मिनट बाद फिर कोशिश करें।"]],
};

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;color:#1c1f26;max-width:26em;margin:20vh auto;padding:0 16px;text-align:center}";

/** What a visitor reads in place of a page, by the status of the reply. */
export function noticePage(status: number, language: Language): string | Promise<string> {
  const [notices, ours] = NOTICES[language];
  const [title, text] = notices[status] ?? (status < 500 ? notices[400] : ours);
  const page = (
    <html lang={language}>
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
