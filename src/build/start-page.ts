/** A place in the reference as its navigation has it; the page calls the document `api`. */
export type Place = {
  type: string;
  title: string;
  id: string;
  method?: string;
  path?: string;
  children?: Place[];
};

const OPERATION = "operation";

/** The styles of the list that stands there until the reference does. */
export const START_STYLE = `
      #start { position: fixed; inset: 0; z-index: 99999; overflow: auto; padding: 24px max(16px, calc(50vw - 36rem)); background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif }
      #start h2 { margin: 1.5rem 0 .25rem }
      #start h3 { margin: .75rem 0 .25rem; font-size: 1em }
      #start ul { margin: 0; padding: 0; list-style: none; columns: 22rem; column-gap: 2rem }
      #start li { padding: 4px 0; break-inside: avoid }
      #start small { display: block; overflow-wrap: anywhere; font-family: ui-monospace, monospace }
      #start a { color: LinkText }`;

/** Every operation with the way to its place in the reference, by group and tag, as HTML that needs no script. */
export function startList(navigation: Place): string {
  const groups = (navigation.children ?? []).map((group) => ({ ...group, tags: tagsOf(group) }));
  return groups
    .filter(({ tags }) => tags.length > 0)
    .map(({ title, tags }) => `<h2>${escaped(title)}</h2>\n${tags.map(tagList).join("\n")}`)
    .join("\n");
}

function tagsOf({ children = [] }: Place): Place[] {
  return children.filter((tag) => tag.children?.some(({ type }) => type === OPERATION));
}

function tagList({ title, children = [] }: Place): string {
  const items = children.filter(({ type }) => type === OPERATION).map(item);
  return `<h3>${escaped(title)}</h3>\n<ul>${items.join("")}</ul>`;
}

function item({ id, title, method = "", path = "" }: Place): string {
  // The addresses inside the page leave out the document's own name.
  const anchor = id.slice(id.indexOf("/") + 1);
  return `<li><a href="#${escaped(anchor)}">${escaped(title)}</a><small>${method.toUpperCase()} ${escaped(path)}</small></li>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
