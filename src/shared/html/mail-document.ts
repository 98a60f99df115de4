const DEVANAGARI = /\p{Script=Devanagari}/u;
// Long words and pictures stay within a phone's width, where a mail program reads the style.
const STYLE = "body{margin:0;padding:12px;overflow-wrap:anywhere}img{max-width:100%;height:auto}";

/** A mail's HTML as a whole document, which says its language, its title and that it fits a phone. */
export function mailDocument(subject: string, html: string): string {
  const language = DEVANAGARI.test(html) ? "hi" : "en";
  const title = subject.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style>`;
  return `<!doctype html><html lang="${language}"><head>${head}</head><body>${html}</body></html>`;
}
