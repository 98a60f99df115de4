import type { Child } from "hono/jsx";
import type { Nodes, Root, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { toString as textOf } from "mdast-util-to-string";
import { gfmTable } from "micromark-extension-gfm-table";

/** Where a link leads on the served page; undefined for what is not served, whose words stand without a link. */
export type Resolve = (target: string) => string | undefined;

/** The tree of a Markdown text, tables included. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
}

/** What a heading is called in links, as GitHub has it. */
function anchorOf(heading: Nodes): string {
  return textOf(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

const LANGUAGES: Record<string, string> = { sh: "Shell", ts: "TypeScript", json: "The answer", html: "HTML" };

const RUN = ["sh", "ts"];

/** Shows a part of a tree. What the pages do not use has no form here, and fails the build. */
export function Part({ node, resolve }: { node: Nodes; resolve: Resolve }) {
  const inside = "children" in node && node.children.map((child) => <Part node={child} resolve={resolve} />);
  switch (node.type) {
    case "root":
      return <>{inside}</>;
    case "text":
      return <>{node.value}</>;
    case "heading":
      return headings[node.depth - 1]?.(anchorOf(node), inside) ?? unknown(node);
    case "paragraph":
      return <p>{inside}</p>;
    case "list":
      return node.ordered ? <ol>{inside}</ol> : <ul>{inside}</ul>;
    case "listItem":
      return <li>{inside}</li>;
    case "strong":
      return <strong>{inside}</strong>;
    case "emphasis":
      return <em>{inside}</em>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return (
        <Sample
          name={node.meta ?? LANGUAGES[node.lang ?? ""]}
          text={node.value}
          runs={RUN.includes(node.lang ?? "")}
        />
      );
    case "link": {
      const href = resolve(node.url);
      if (href === undefined) return <>{inside}</>;
      return <a href={href}>{inside}</a>;
    }
    case "image":
      return null;
    case "table":
      return <Rows table={node} resolve={resolve} />;
    default:
      return unknown(node);
  }
}

const headings = [
  (_id: string, inside: Child) => <h1>{inside}</h1>,
  (id: string, inside: Child) => <h2 id={id}>{inside}</h2>,
  (id: string, inside: Child) => <h3 id={id}>{inside}</h3>,
];

// What scrolls sideways can have the focus, so that the arrow keys scroll it.
function Sample({ name, text, runs }: { name: string | undefined; text: string; runs: boolean }) {
  return (
    <figure>
      {name && <figcaption>{name}</figcaption>}
      <pre tabindex={0} data-runs={runs || undefined}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

function Rows({ table, resolve }: { table: Table; resolve: Resolve }) {
  const [head, ...rows] = table.children.map(({ children }) =>
    children.map(({ children: parts }) => parts.map((part) => <Part node={part} resolve={resolve} />)),
  );
  return (
    <section class="table" aria-label="Table" tabindex={0}>
      <table>
        <thead>
          <tr>{head?.map((cell) => (cell.length > 0 ? <th scope="col">{cell}</th> : <td />))}</tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function unknown(node: Nodes): never {
  throw new Error(`A page has a ${node.type} at line ${node.position?.start.line}, which has no form`);
}
