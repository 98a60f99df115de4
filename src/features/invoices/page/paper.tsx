import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Language } from "#shared/text/language.ts";
import { PrintButton } from "./print-button.tsx";
import { STYLE } from "./style.ts";
import type { Words } from "./words/words.ts";

type Paper = {
  language: Language;
  words: Words;
  /** What the document is called. */
  kind: string;
  number: string;
  seller: { legal_name: string; country: string };
  /** Set where it has no address of its own, so neither links nor a script. */
  isStill?: true;
  children: Child;
};

/** A document as a page to read on a screen and to print on A4. */
export function renderPaper({
  language,
  words,
  kind,
  number,
  seller,
  isStill,
  children,
}: Paper): string | Promise<string> {
  const [before, between] = words.pageOf;
  // At the foot of each printed page. None of these texts has a quote or a backslash.
  const foot = `--footer: "${kind} ${number}"; --page: "${before}"; --of: "${between}"`;
  const page = (
    <html lang={`${language}-${seller.country}`} style={foot}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{words.windowTitle(kind, number, seller.legal_name)}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        {!isStill && (
          <nav>
            {language === "en" ? (
              <a href="?lang=hi" lang="hi" hreflang="hi">
                हिन्दी
              </a>
            ) : (
              <a href="?lang=en" lang="en" hreflang="en">
                English
              </a>
            )}
            <PrintButton label={words.print} />
          </nav>
        )}
        <main>{children}</main>
      </body>
    </html>
  );
  return html`<!DOCTYPE html>${page}`;
}

type Ending = { seller: { legal_name: string }; notes?: string | null; terms?: string | null; words: Words };

/** What stands at the end, never on a sheet of its own: notes, terms, and where the seller signs. */
export function End({ seller, notes, terms, words }: Ending) {
  const [before, after] = words.signedFor("\n").split("\n");
  return (
    <section class="end">
      <div>
        {notes && <Paragraph title={words.notes} text={notes} />}
        {terms && <Paragraph title={words.terms} text={terms} />}
      </div>
      <div class="signature">
        <p>
          {before}
          <bdi>{seller.legal_name}</bdi>
          {after}
        </p>
        <p>{words.signatory}</p>
      </div>
    </section>
  );
}

function Paragraph({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h2>{title}</h2>
      <p class="lines" dir="auto">
        {text}
      </p>
    </div>
  );
}
