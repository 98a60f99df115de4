// npm run examples: calls each operation on the demo companies, and writes into docs/examples.jsonl what they answer, and
// the events that they leave. Of a line that is there its `query` and `body` are sent, and kept. An argument names
// another file to write.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { operations, platformOperations } from "../../src/wiring/operations.ts";
import { webhooks } from "../../src/wiring/webhooks.ts";
import { EXAMPLES_FILE } from "../support/examples.ts";
import { Calls, usualPath } from "./calls.ts";
import { type DemoCompanies, startDemo } from "./demo.ts";
import { ELSEWHERE, RACED } from "./places.ts";
import { endLessons, playEvents, playScenes } from "./scenes.ts";
import { steady } from "./steady.ts";

type Line = { operation?: string; query?: object | undefined; body?: unknown };
type Event = { type: string; company: string; data: Record<string, unknown>; data_omitted: boolean };

await using demo = await startDemo();
await playScenes(demo);
const calls = new Calls(demo);
const events: Event[] = [];
await calls.all(async () => {
  await playEvents(demo);
  events.push(...(await eventsOf(demo)));
});
await endLessons(demo);
// An erasure takes what the first ones said.
events.push(...(await eventsOf(demo)));
const lines = [...operationLines(), ...eventLines()];
const file = process.argv[2] ?? EXAMPLES_FILE;
// At once as a whole: the next recording reads the requests there.
writeFileSync(`${file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
renameSync(`${file}.new`, file);

function operationLines(): object[] {
  const sent = new Map<string | undefined, Line>(
    readFileSync(EXAMPLES_FILE, "utf8")
      .trimEnd()
      .split("\n")
      .map((line): Line => JSON.parse(line))
      .map(({ operation, query, body }) => [operation, { query, body }]),
  );
  return [...operations, ...platformOperations].map((operation) => {
    const { id, planned } = operation;
    const recorded = calls.recorded.get(id);
    if (recorded === undefined && !planned) throw new Error(`${id} has no answer: ${calls.refused.get(id)}`);
    const { path = usualPath(operation, undefined), result: answered } = steady({ ...recorded }, hosts(demo));
    const result = id in RACED ? { ...Object(answered), ...RACED[id] } : answered;
    // A record of another company has no address here.
    const isUsual =
      id in ELSEWHERE || JSON.stringify(path) === JSON.stringify(usualPath(operation, undefined));
    return { operation: id, ...(isUsual ? {} : { path }), ...sent.get(id), result };
  });
}

/** An event of each type: of the first company that has one, that of its oldest record. */
function eventLines(): object[] {
  return webhooks.map(({ name }) => {
    const [first, ...others] = events.filter(({ type, data_omitted }) => type === name && !data_omitted);
    if (first === undefined) throw new Error(`No demo company has an event ${name}`);
    const alike = [first, ...others.filter(({ company }) => company === first.company)];
    const [oldest] = alike.toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
    return { event: name, result: { ...steady(oldest ?? first, hosts(demo)), ...RACED[name] } };
  });
}

function ageOf({ data }: Event): string {
  return String(data.created_at);
}

/** All events of the companies, of each the first one at the front. */
async function eventsOf({ traders, school, other }: DemoCompanies): Promise<Event[]> {
  const all = [traders, school, other].map(async (company) => {
    const events: Event[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await company.call<Event[]>("GET", `/settings/:company/events?limit=100${after}`);
      events.unshift(...body.data.toReversed());
      cursor = body.paging.next_cursor;
    }
    return events;
  });
  return (await Promise.all(all)).flat();
}

/** What stands in place of the addresses of this run. */
function hosts({ service }: DemoCompanies): Record<string, string> {
  return {
    [service.url]: "https://api.example.com",
    [service.gatewaysUrl]: "https://gateway.example.com",
    [service.messagesUrl]: "https://messages.example.com",
    [service.outsideUrl]: "https://hooks.example.com",
  };
}
