const PLACE = /\{\{\s*([a-z]+\.[a-z]+)\s*\}\}/g;
// Words and one variable, or a link that the variable is the address of.
const PARAGRAPH =
  /<p>(?:<a href="|[^<>{}]*)\{\{\s*([a-z]+\.[a-z]+)\s*\}\}(?:"[^<>{}]*>[^<>{}]*<\/a>|[^<>{}]*)<\/p>\s*/g;
const LINE = /(?<=<p>|<br>\s*)[^<>{}]*\{\{\s*([a-z]+\.[a-z]+)\s*\}\}[^<>{}]*<br>\s*/g;
// Text from the right to the left takes the signs around it along, unless it is isolated.
const LEFTWARDS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}\p{Script=Nko}]/u;
const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The end of the names of variables that are links to the customer's own pages. */
export const LINK = /\.(?:link|calendar|confirm|receipt)$/;

/** What stands in the place of each variable. */
export type Values = Readonly<Record<string, string>>;
/** A subject and a body, with the places of variables. */
export type MailTemplate = { subject: string; html: string };
/** By rule and audience, as in `booking_held.customer`. */
export type Defaults = Readonly<Record<string, MailTemplate>>;

/** What is wrong with a template: the variable that its rule does not have, or the brace that opens or closes nothing; null for none. */
export function faultOf(template: string, variables: readonly string[]): string | null {
  for (const [place, name = ""] of template.matchAll(PLACE)) if (!variables.includes(name)) return place;
  const rest = template.replace(PLACE, "");
  return /\{\{[^{}]{0,40}|\}\}/.exec(rest)?.[0] ?? null;
}

/** The variables that a template names, in their order. */
export function variablesIn(template: string): string[] {
  return Array.from(template.matchAll(PLACE), ([, name = ""]) => name);
}

/** A template with something else in the place of each variable. */
export function withPlaces(template: string, write: (name: string) => string): string {
  return template.replace(PLACE, (_place, name: string) => write(name));
}

/** A template as text, its variables replaced once: typed text is never read as a template. */
export function filled(template: string, values: Values): string {
  return withPlaces(template, (name) => values[name] ?? "");
}

/** The same as HTML, in which a value is text and nothing else. A line whose only variable is empty is left out. */
export function filledHtml(template: string, values: Values): string {
  const keep = (line: string, name: string) => (values[name] === "" ? "" : line);
  return withPlaces(template.replace(PARAGRAPH, keep).replace(LINE, keep), (name) =>
    isolated(escaped(values[name] ?? "").replaceAll("\n", "<br>"), name),
  );
}

// Of these, a link may stand inside a tag, and has no other direction.
function isolated(html: string, name: string): string {
  return LEFTWARDS.test(html) && !LINK.test(name) ? `<bdi>${html}</bdi>` : html;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
