import type { DatabaseSync } from "node:sqlite";
import { normalised } from "#tenancy/migrations/schema-objects.ts";
import { stronglyConnected } from "./import-circles.ts";

/** A trigger, the table or view that it is on, and its statements. */
export type Trigger = { name: string; on: string; isOnView: boolean; statements: Statement[] };
type Statement = { text: string; writes: string | undefined };

/** The triggers of a database by their names, read from its schema. */
export function triggersOf(database: DatabaseSync): Trigger[] {
  const rows = database
    .prepare(
      `SELECT name, tbl_name, sql, tbl_name IN (SELECT name FROM sqlite_schema WHERE type = 'view') AS is_on_view
      FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`,
    )
    .all();
  return rows.map(({ name, tbl_name: on, sql, is_on_view: isOnView }) => ({
    name: String(name),
    on: String(on),
    isOnView: isOnView === 1,
    statements: statementsOf(String(sql)),
  }));
}

/** The statements of a trigger's body: once no text is quoted, a semicolon stands at the end of each and nowhere else. */
function statementsOf(sql: string): Statement[] {
  const plain = normalised(sql).replace(/'(?:[^']|'')*'/g, "''");
  const body = plain.slice(plain.search(/\bBEGIN\b/) + "BEGIN".length, plain.lastIndexOf(";"));
  return body.split(";").map((statement) => {
    const text = statement.trim();
    const write = /^(?:(?:INSERT(?: OR \w+)?|REPLACE) INTO|UPDATE(?: OR \w+)?|DELETE FROM) (\w+)/.exec(text);
    if (write === null && !text.startsWith("SELECT ")) throw new Error(`Cannot read: ${text}`);
    return { text, writes: write?.[1] };
  });
}

/** The other tables that a trigger writes. */
export function othersWritten({ on, statements }: Trigger): string[] {
  const written = new Set(statements.flatMap(({ writes }) => writes ?? []));
  return [...written].filter((table) => table !== on);
}

/** Whether a trigger sets a column to itself: that changes nothing, and only fires other triggers. */
export function setsColumnToItself({ statements }: Trigger): boolean {
  return statements.some(({ text, writes }) =>
    new RegExp(`(?:\\bSET|,) (\\w+) = (?:${writes}\\.)?\\1(?=,| WHERE\\b| FROM\\b|$)`).test(text),
  );
}

/** By each table or view, the others that triggers on it write. What it writes to itself is left out: SQLite runs no trigger inside itself. */
function graphOf(triggers: readonly Trigger[]): Map<string, string[]> {
  const graph = Array.from(
    Map.groupBy(triggers, ({ on }) => on),
    ([on, own]) => [on, [...new Set(own.flatMap(othersWritten))].toSorted()] as const,
  );
  return new Map(graph.toSorted());
}

/** The tables that are in a circle, because triggers on each write the next. */
export function tablesInCircles(triggers: readonly Trigger[]): string[] {
  const circles = stronglyConnected(graphOf(triggers)).filter((group) => group.length > 1);
  return circles.flat().toSorted();
}

// Nearly every record has an event, and an index of search has no trigger: in a picture they would hide the rest.
const EVENTS = /^events$/;
const SEARCH = /_search$/;

/** A page with the picture of who writes whom, and its counts, between its marks. */
export function withPicture(page: string, triggers: readonly Trigger[]): string {
  const graph = [...graphOf(triggers)];
  const statements = triggers.flatMap((one) => one.statements);
  const own = triggers.filter(({ on, statements: all }) => all.some(({ writes }) => writes === on));
  const arrows = graph.flatMap(([from, others]) => {
    const drawn = others.filter((to) => !EVENTS.test(to) && !SEARCH.test(to));
    return drawn.length === 0 ? [] : [`  ${from} --> ${drawn.join(" & ")}`];
  });
  const writersOf = (table: RegExp) =>
    graph
      .flatMap(([from, others]) => (others.some((to) => table.test(to)) ? [`\`${from}\``] : []))
      .join(", ");
  const lines = [
    `- **Triggers:** ${triggers.length}, with ${statements.length} statements in their bodies; ${own.length} write their own table.`,
    `- **Edges:** ${graph.flatMap(([, others]) => others).length}. Each is a table whose triggers write another one.`,
    `- **Not drawn:** \`events\`, written by ${writersOf(EVENTS)}; and the indexes of search, written by ${writersOf(SEARCH)}.`,
    "",
    "```mermaid",
    "flowchart LR",
    ...arrows,
    "```",
  ];
  return page.replace(/(?<=<!-- Made by npm run triggers -->\n).*(?=<!-- End -->)/s, `${lines.join("\n")}\n`);
}
