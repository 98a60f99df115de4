import * as z from "zod";
import type { Ctx } from "#core/context.ts";
import { externalIdMember } from "#shared/fields/external-id.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { isPatch } from "#shared/fields/patch.ts";
import { DryRunQuery } from "#shared/fields/query.ts";
import type { SortKey } from "#shared/page.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { type Area, commonIn } from "./areas.ts";
import { type Collection, collectionLiterals, type Shown } from "./collection.ts";
import type { AddFile, AddRead, AddWrite, Defaults, Described, Schema } from "./literal.ts";
import { pageQuery } from "./paging.ts";
import { putByOwnId } from "./put-by-own-id.ts";
import type { Scope } from "./scopes.ts";
import { type Settings, settingsLiterals } from "./settings.ts";

export type { Envelope, Schema } from "./literal.ts";

const Binary = z.string().meta({ format: "binary" });
const DELETED = { schema: Deleted, render: renderDeleted };

type AnyLiteral = Described<Schema, z.ZodObject, Schema>;
type Filled = "scope" | "envelope" | "status" | "problems" | "changes";

/** A literal with its defaults filled in, and the verb that does the work. */
export type Operation = Omit<AnyLiteral, Filled> &
  Required<Pick<AnyLiteral, Filled>> & {
    id: string;
    method: "get" | "post" | "put" | "patch" | "delete";
    /** From the base address on, with `:company` and record ids. */
    path: string;
    area: string;
    result: Schema;
    /** Turns what the verb gives into what is answered. */
    render: (row: never, ctx: never) => unknown;
    verb: (ctx: never, params: never, input: never) => Promise<unknown>;
    /** Set where the operation lists records: whole, or by pages in the order of a sort key. */
    list?: "all" | ((row: never) => SortKey);
    /** `control` where the verb works on the control database. */
    database: "company" | "control";
  };

type Listable = { id: number | string; created_at?: number; listed_at?: number };
/** A row's place in a list by ids, by the time at which records were made, or by an order that gives it with the row. */
const placeOf = ({ id, created_at: at = 0, listed_at: place = at }: Listable): SortKey => [place, id];

const MONEY_SCOPES: ReadonlySet<unknown> = new Set(["payments:write", "refunds:write", "ledger:write"]);
const MONEY: ReadonlySet<ResourceName> = new Set(["invoice", "payment", "refund", "credit_note"]);

/** Whether a write is about money; what sends a message is not, for its quota is taken before its batch. */
function isAboutMoney({ method = "get", changes = [], scope }: Partial<Operation>): boolean {
  if (method === "get" || changes.includes("message")) return false;
  return MONEY_SCOPES.has(scope) || changes.some((kind) => MONEY.has(kind));
}

/** The scopes of which a secret key must hold one. */
export function scopesOf({ scope, orScopes = [] }: Operation): (Scope | "platform")[] {
  return [scope, ...orScopes];
}

/** Whether a body may be left out: it has no required members, or stands for something. */
export function mayLeaveOutBody({
  body,
  bodyLeftOut = {},
}: Pick<Operation, "body" | "bodyLeftOut">): boolean {
  return body?.safeParse(bodyLeftOut).success === true;
}

/** Whether a client may keep the answer, and ask whether it is still the same. */
export function mayBeKept({ cacheControl = "no-store" }: Pick<Operation, "cacheControl">): boolean {
  return !cacheControl.includes("no-store");
}

/**
 * The operations of one area, each a verb by its id, a path below the router's, which is below its area's, and a literal.
 * `C`: what its verbs need of the context; `D`: what its literals have unless they say otherwise.
 */
export class Router<C extends Ctx = Ctx, D extends Defaults<C> = object> {
  readonly operations: Operation[] = [];
  readonly #area: Area;
  readonly #path: string;
  readonly #defaults: Defaults<C>;
  readonly #database: "company" | "control";

  constructor(area: Area, path: string, defaults?: D, database: "company" | "control" = "company") {
    this.#area = area;
    this.#path = path;
    this.#defaults = defaults ?? {};
    this.#database = database;
  }

  readonly get: AddRead<C, D, this, "one"> = (...said) => this.#add({ method: "get" }, ...said);
  readonly post: AddWrite<C, D, this> = (...said) => this.#add({ method: "post" }, ...said);
  /** Adds an operation that makes a record. */
  readonly create: AddWrite<C, D, this> = (...said) => this.#add({ method: "post", status: 201 }, ...said);
  readonly put: AddWrite<C, D, this> = (...said) => this.#add({ method: "put" }, ...said);
  readonly patch: AddWrite<C, D, this> = (...said) => this.#add({ method: "patch" }, ...said);
  /** Adds an operation that removes a record, whose id it answers. */
  readonly delete: AddWrite<C, D, this, { id: number }> = (...said) =>
    this.#add({ method: "delete", record: DELETED }, ...said);
  /** Adds a list that gives all of its rows. */
  readonly all: AddRead<C, D, this, "all"> = (...said) => this.#add({ method: "get", list: "all" }, ...said);

  /** Adds a list by pages: the verb fetches `page.take` rows after `page.after`; `sort` names a row's place, if not its id. */
  readonly list: AddRead<C, D, this, "page"> = (verb, path, literal) => {
    const { sort = placeOf, ...rest }: { sort?: unknown } & typeof literal = literal;
    const query = literal.query?.extend(pageQuery) ?? z.object(pageQuery);
    return this.#add({ method: "get", list: sort }, verb, path, { ...rest, query });
  };

  /** Adds an operation that answers with a file, to be saved under its name. */
  readonly file: AddFile<C, D, this> = (verb, path, literal) => {
    const file = { method: "get", record: undefined, result: Binary, envelope: "file" };
    return this.#add(file, verb, path, literal);
  };

  /** Adds the operations of a collection: five, without those of which no verb or no `patch` is given. */
  collection<
    Row extends { id: number },
    Wire extends Schema,
    Create extends Schema,
    Patch extends Schema = never,
    Owner extends z.ZodObject = z.ZodObject,
    Item extends z.ZodObject = typeof RecordParams,
    Issued extends Schema = Wire,
  >(collection: Collection<C, Row, Wire, Create, Patch, Owner, Item, Issued>): this {
    const { list, create, get, update, delete: remove } = collectionLiterals(collection);
    const { verbs, sort = placeOf, filters = z.object({}) } = collection;
    this.#push({ ...list, query: filters.extend(pageQuery), list: sort }, verbs.list);
    this.#push(create, verbs.create);
    if (verbs.get !== undefined) this.#push(get, verbs.get);
    if (collection.patch !== undefined) this.#push(update, verbs.update);
    if (verbs.remove !== undefined) this.#push(remove, verbs.remove);
    return this;
  }

  /** Adds what reads and what changes settings, of which a company has one record. */
  settings<Row, Wire extends Schema, Patch extends Schema>(settings: Settings<C, Row, Wire, Patch>): this {
    const { get, update } = settingsLiterals(settings);
    return this.#push(get, settings.verbs.get).#push(update, settings.verbs.update);
  }

  #add(kind: object, named: Readonly<Record<string, unknown>>, path: string, literal: object): this {
    const [[id, verb] = []] = Object.entries(named);
    return this.#push({ ...kind, id, path, ...literal }, verb);
  }

  // The types of one literal and its verb agree above; past this point all operations are handled alike.
  #push(literal: object, verb: unknown): this {
    const { problems: usual = [], params = RecordParams, ...defaults } = this.#defaults;
    const given: Partial<Operation> = literal;
    const { path = "/", body, problems = [], externalIds } = given;
    const { path: base, read, write, envelope = "data" } = commonIn(this.#area);
    const [scope, ...orScopes] = given.method === "get" ? read : write;
    const { record, ...said }: Partial<Operation> & { record?: Shown<never, never, Schema> } = {
      ...(given.scope === undefined && { scope, orScopes }),
      ...(path.includes("/:") && { params }),
      ...defaults,
      ...given,
    };
    const { dryRun = isAboutMoney(said) } = said;
    this.operations.push({
      envelope,
      status: 200,
      changes: [],
      ...(record && { result: record.schema, render: record.render }),
      ...said,
      ...(dryRun ? { query: said.query?.extend(DryRunQuery.shape) ?? DryRunQuery, dryRun } : {}),
      ...(externalIds && body instanceof z.ZodObject && !("external_id" in body.shape)
        ? { body: body.safeExtend({ external_id: externalIdMember }) }
        : {}),
      path: [base, this.#path, path].filter((part) => part !== "/").join(""),
      problems: [
        ...(isPatch(body) ? ["no_accepted_fields"] : []),
        ...(externalIds ? ["external_id_retired"] : []),
        ...(externalIds && !externalIds.isNeverRefused ? ["duplicate_external_id"] : []),
        ...usual,
        ...problems,
      ],
      area: this.#area,
      database: this.#database,
      verb,
    } as unknown as Operation);
    const change = externalIds?.change;
    return change === undefined ? this : this.#push(...putByOwnId(given, change, verb as never));
  }
}
