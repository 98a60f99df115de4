import type { Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import type { OpenApiDocument } from "#api/openapi/document.ts";
import { documentPage } from "#api/pages/front-page.tsx";
import { Part, parseMarkdown, type Resolve } from "./markdown.tsx";
import { SCRIPT_PATH } from "./script.ts";

// Bundled into one module before it runs: Node takes no JSX.

/** The Markdown files of a folder by their names without `.md`. */
type Texts = Record<string, string>;
type File = { path: string; text: string };
type Page = { name: string; folder: "guides" | "pages"; text: string; tree: Root };

const INDEX = "README";
const STYLE = [
  "figure{margin:1rem 0}figure pre{margin:0}figcaption{opacity:.8;font-size:.85em}",
  ".table{overflow-x:auto}table{border-collapse:collapse}td,th{padding:4px 12px 4px 0;text-align:left;vertical-align:top;border-bottom:1px solid #8888}",
  // A cell is as wide as its longest word, and the table scrolls.
  ".table code{overflow-wrap:normal}figure button{margin-top:4px;font:inherit;font-size:.85em}",
  "p,li,h1,h2,h3{overflow-wrap:anywhere}",
].join("");

/**
 * The files of the guides, of the pages on single subjects that they lead to, and of llms.txt, under their places among
 * what is served. Each page has its Markdown beside it.
 */
export async function renderPages(
  guides: Texts,
  subjects: Texts,
  document: OpenApiDocument,
): Promise<File[]> {
  const pages = [...pagesOf(guides, "guides"), ...pagesOf(subjects, "pages")];
  const files = await Promise.all(pages.map((page) => filesOf(page, resolveFrom(page, pages))));
  return [...files.flat(), { path: "llms.txt", text: llms(pages, document) }];
}

function pagesOf(texts: Texts, folder: Page["folder"]): Page[] {
  return Object.entries(texts).map(([name, text]) => ({ name, folder, text, tree: parseMarkdown(text) }));
}

async function filesOf(page: Page, resolve: Resolve): Promise<File[]> {
  const { name, folder, text, tree } = page;
  const file = `docs/${folder}/${name === INDEX ? "index" : name}`;
  const html = await documentPage(
    titleOf(page),
    <main>
      <Part node={tree} resolve={resolve} />
      <script src={SCRIPT_PATH} defer />
    </main>,
    STYLE,
  );
  const twin = text.replaceAll(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words, target) => {
    const resolved = resolve(target);
    if (resolved === undefined) return words;
    const [address, anchor] = resolved.split("#");
    if (!target.includes(".md") || !address?.startsWith("/docs/")) return link.replace(target, resolved);
    return `[${words}](${address}.md${anchor === undefined ? "" : `#${anchor}`})`;
  });
  return [
    { path: `${file}.html`, text: String(html) },
    { path: `${file}.md`, text: twin },
  ];
}

/** Links between files become those between pages; what is in the project but not served is none. */
function resolveFrom({ folder }: Page, pages: readonly Page[]): Resolve {
  return (target) => {
    if (/^(?:https?:|#|\/)/.test(target)) return target;
    const [path = "", anchor] = target.split("#");
    const base = `http://project/docs/${folder === "guides" ? "guides/" : ""}`;
    const parts = new URL(path, base).pathname.replace(/\.md$/, "").split("/").slice(2);
    const at = parts[0] === "guides" ? "guides" : "pages";
    const name = at === "guides" ? parts[1] : parts.join("/");
    const page = pages.find((one) => one.folder === at && one.name === name);
    if (page === undefined) return undefined;
    const address = name === INDEX ? "/docs/guides" : `/docs/${at}/${name}`;
    return anchor === undefined ? address : `${address}#${anchor}`;
  };
}

function titleOf({ tree, name }: Page): string {
  const title = tree.children.find((node) => node.type === "heading");
  if (title === undefined) throw new Error(`${name}.md has no title`);
  return textOf(title);
}

/** The first paragraph's first sentence: what the reader will have. */
function promiseOf({ tree, name }: Page): string {
  const first = tree.children.find((node) => node.type === "paragraph");
  if (first === undefined) throw new Error(`${name}.md says nothing`);
  return /^.*?[.:](?=\s|$)/s.exec(textOf(first))?.[0]?.replace(/:$/, ".") ?? textOf(first);
}

/** What a program reads first: `{origin}` stands for this host's address. */
function llms(pages: readonly Page[], { paths }: OpenApiDocument): string {
  const lines = pages
    .filter(({ name }) => name !== INDEX)
    .map((page) => ({
      folder: page.folder,
      line: `- [${titleOf(page)}]({origin}/docs/${page.folder}/${page.name}.md): ${promiseOf(page)}`,
    }));
  const inFolder = (wanted: string) =>
    lines.filter(({ folder }) => folder === wanted).map(({ line }) => line);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-status"] === "available")
      .map(([method, { summary }]) => `${method.toUpperCase()} ${path}: ${summary}`),
  );
  return `# Company Operations API

> One company's business account over HTTP: GST invoices, customers, stock, payments, messaging, recruitment, leads, a shop's checkout, bookings and projects. Requests and answers are JSON.

Base address: {origin}/v1, before each path below that has {company}. {company} is the company's slug.
Authentication: the headers X-Client-Id and X-Client-Secret. In a browser a publishable key, X-Client-Id alone, for /schools only. Paths under /platform stand at {origin} and take the operator's token.
Any write takes an Idempotency-Key: the same key and body are done once. An error has a stable code; {origin}/errors has them all.
Every field: {origin}/v1/openapi.json (OpenAPI 3.1; {origin}/v1/openapi-3.0.json in 3.0). An agent can find, read and call the operations through {origin}/mcp.

## Guides

${inFolder("guides").join("\n")}

## Subjects

${inFolder("pages").join("\n")}

## Operations

${operations.join("\n")}
`;
}
