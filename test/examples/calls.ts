import { parametersOf } from "#api/openapi/parameters.ts";
import { Schemas } from "#api/openapi/schemas.ts";
import type { Operation } from "#api/operations/operation.ts";
import { OF_SCHOOLS } from "../../src/sandbox/server/reference.ts";
import { operations, platformOperations } from "../../src/wiring/operations.ts";
import { examples } from "../support/examples.ts";
import { type Answer, send } from "../support/http.ts";
import { pathOf, prepare, recordIn, wireBody } from "../support/operations.ts";
import { untilQuiet } from "../support/round-trips.ts";
import type { DemoCompanies } from "./demo.ts";
import { ELSEWHERE, FIRST, LAST, MADE_BY, QUIET } from "./places.ts";
import { fillSpare } from "./scenes.ts";

type Path = Record<string, string>;
/** A call that was answered well: what its address named, and the record, of a list the first. */
export type Recorded = { path: Path; result: unknown };

const FILE = "%PDF-1.7 ...";
const schemas = new Schemas();
const every = [...operations, ...platformOperations].filter(({ planned }) => planned !== true);

/** Calls the operations on the demo companies, each with what its example sends. */
export class Calls {
  readonly recorded = new Map<string, Recorded>();
  /** What was answered in place of a success. */
  readonly refused = new Map<string, string>();
  readonly #demo: DemoCompanies;

  constructor(demo: DemoCompanies) {
    this.#demo = demo;
  }

  /** All of them: what adds, changes and reads; then, after what stands `between`, what ends something, and what removes. */
  async all(between: () => Promise<void>): Promise<void> {
    const [first, last] = [FIRST, LAST].map((ids) => ids.map(operationOf)) as [Operation[], Operation[]];
    const others = every.filter((one) => !first.includes(one) && !last.includes(one));
    const [reads = [], removals = [], writes = []] = [/get/, /delete/, /post|put|patch/].map((methods) =>
      others.filter(({ method }) => methods.test(method)),
    );
    for (const operation of [...first, ...writes, ...reads]) await this.#record(operation);
    await between();
    for (const operation of [...last, ...removals]) await this.#record(operation);
  }

  async #record(operation: Operation): Promise<void> {
    const { id } = operation;
    const { traders, other } = this.#demo;
    if (QUIET.includes(id)) await untilQuiet(traders);
    if (id === "useSpareDatabase") await fillSpare(this.#demo, this.#made("makeSpareDatabase", "spare"));
    if (id in ELSEWHERE) {
      const { method, path, body } = await prepare(other, operation);
      return this.#keep(operation, {}, await other.call(method, path, { body }));
    }
    for (const path of await this.#paths(operation))
      if (!this.recorded.has(id)) this.#keep(operation, path, await this.#call(operation, path));
  }

  #keep(operation: Operation, path: Path, answer: Answer): void {
    const { id, envelope, list, status } = operation;
    const given = envelope === "file" ? FILE : recordIn(operation, answer);
    const result = list === undefined ? given : (given as unknown[] | undefined)?.[0];
    if (answer.status === status && result !== undefined) this.recorded.set(id, { path, result });
    else this.refused.set(id, `${this.refused.get(id) ?? ""}\n${JSON.stringify(path)} ${answer.text}`);
  }

  /** What the parameters of an address may be, the likeliest first. */
  async #paths(operation: Operation): Promise<Path[]> {
    const { id, path, method } = operation;
    const usual = usualPath(operation, examples.operations.get(id)?.path);
    const [, name = "company"] = /:(\w+)[^:]*$/.exec(path) ?? [];
    if (name === "company") return [usual];
    const above = path.slice(0, path.indexOf(`/:${name}`));
    const maker = every.find((one) => one.method === "post" && one.path === above);
    const [by = "", member = name] = (MADE_BY[id] ?? maker?.id ?? "").split(".");
    const made = { ...usual, [name]: this.#made(by, member) };
    const lister = every.find((one) => one.list !== undefined && one.path === above);
    const listed = lister && recordIn(lister, await this.#call(lister, usual));
    const first = { ...usual, [name]: nameOf((listed as unknown[] | undefined)?.[0], name) };
    return id in MADE_BY || method === "delete" ? [made, usual, first] : [usual, made, first];
  }

  #made(by: string, member: string): string {
    return nameOf(this.recorded.get(by)?.result, member);
  }

  #call(operation: Operation, path: Path): Promise<Answer> {
    const { service, traders, school } = this.#demo;
    const { query = {}, body } = examples.operations.get(operation.id) ?? {};
    const search = String(new URLSearchParams(query));
    const address = pathOf(operation, path) + (search === "" ? "" : `?${search}`);
    const sent = { body: wireBody(operation, body) };
    const method = operation.method.toUpperCase();
    const headers = { Authorization: `Bearer ${service.platformToken}` };
    if (operation.scope === "platform") return send(method, address, { service, ...sent, headers });
    return (OF_SCHOOLS.test(operation.area) ? school : traders).call(method, address, sent);
  }
}

/** What the document shows for the parameters of an operation's address, with `own` in place of what is usual. */
export function usualPath(operation: Operation, own: Path | undefined): Path {
  const shown = parametersOf({ ...operation, example: { path: own ?? {}, result: null } }, schemas);
  return Object.fromEntries(
    shown.flatMap((one) =>
      "$ref" in one || one.in !== "path" || one.example === undefined ? [] : [[one.name, one.example]],
    ),
  );
}

function operationOf(id: string): Operation {
  const operation = every.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}`);
  return operation;
}

/** What names a record in an address: a member of it, or its id. */
function nameOf(record: unknown, member: string): string {
  const { booking = record } = Object(record);
  return String(Object(booking)[member] ?? Object(booking).id ?? "none");
}
