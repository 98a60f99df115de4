import * as z from "zod";
import type { Ctx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { DryRunQuery } from "#shared/fields/query.ts";
import type { Listed, Page, SortKey } from "#shared/page.ts";
import type { ProblemCode } from "#shared/problem.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { type Collection, collectionLiterals, type Shown } from "./collection.ts";
import { pageQuery } from "./paging.ts";
import type { Scope } from "./scopes.ts";
import { type Settings, settingsLiterals } from "./settings.ts";

export type Schema = z.ZodType;
const Binary = z.string().meta({ format: "binary" });
type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;

/** How a reply wraps its record: `{data}`, `{success, data}`, `{success, <name>}`, the record's own keys; or it is a file. */
export type Envelope = "data" | "success" | "flat" | "file" | { success: string };

type Reading = { method?: "get"; changes?: never };

/** What reads changes nothing; what writes says of which records it may leave events, if any. */
type Method =
  | (Reading & { method: "get" })
  | { method: "post" | "put" | "patch" | "delete"; changes?: readonly ResourceName[] };

/**
 * One operation as data. The router, the API document and the contract tests all read it; nothing of it is written
 * twice. `render` turns what the verb gives (and what is remembered for a replay) into the wire's shape; `record` names
 * both it and the result's schema.
 */
type Literal<C, Row, Params, Query, Body, Result extends Schema> = Described<Params, Query, Body> &
  (Rendered<C, Row, Result> | { record: Shown<C, Row, Result> });

type Rendered<C, Row, Result extends Schema> = {
  result: Result;
  render: (row: Row, ctx: C) => z.input<Result> | Promise<z.input<Result>>;
};

type Described<Params, Query, Body> = {
  id: string;
  /** From the base address on, with `:company` and record ids. */
  path: string;
  summary: string;
  description?: string;
  /** What a secret key must hold; `platform` for the operator. */
  scope: Scope | "platform";
  /** Scopes that do in place of `scope`. Where the record decides which is needed, the verb judges it. */
  orScopes?: readonly Scope[];
  /** `any` where publishable keys are accepted too: Bookings only. */
  keys?: "any";
  /** The contract is defined, the operation is not built. */
  planned?: true;
  params?: Params;
  query?: Query;
  /** Set where a write takes `?dry_run=true`, as each about money does: it answers what it would, and writes nothing. */
  dryRun?: boolean;
  body?: Body;
  /** What a body that is left out stands for, if not for `{}`. */
  bodyLeftOut?: unknown;
  /** Set where the body comes as multipart/form-data: always, or where the client sends it so in place of JSON. */
  form?: "always" | "accepted";
  /** `data` unless it says otherwise. */
  envelope?: Envelope;
  /** 200 unless it says otherwise. */
  status?: 200 | 201 | 202;
  /** The codes it can answer besides those that every operation of its kind can. */
  problems?: readonly ProblemCode[];
  /** Where this operation answers a code with another status than most do. */
  problemStatuses?: Partial<Record<ProblemCode, number>>;
  /** The most bytes of a body, where it is not `JSON_LIMIT`. */
  bodyLimit?: number;
  /** Set on a create that cannot be taken back: money goes out, or data is erased. */
  isFinal?: true;
  /** Set where what a body leaves out means all of the money: it takes no member that it does not have. */
  takesNoOther?: true;
  /** Set where a blank text in place of an optional value counts as not sent, of a PATCH as null: where no right or debt hangs on it. */
  takesBlanks?: true;
  /** Set on an update of a record with no text that is of a person or secret: the audit log keeps its texts. */
  keepsTexts?: true;
  /** False where a sent Idempotency-Key is ignored. */
  idempotent?: false;
  /** Its record has a `version`: shown as ETag; checked where If-Match is taken too, as the body's `expected_version`. */
  version?: "shown" | "checked";
  /**
   * A request and the record it answers (of a list, one) that the document shows, and the tests validate. It works on the
   * demo companies of `npm start`; `path` has what its address names where that is not the first record.
   */
  example?: {
    path?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    result: unknown;
  };
  /** Cache-Control of a read, `no-store` unless it says otherwise; what its client may keep has an ETag. */
  cacheControl?: string;
  /** Set where the isolate may answer again what it read within a second. Its answer depends on the request's URL alone. */
  isKept?: true;
};

/** A row's place in a list, which may be left out where that is its id. */
type Sorted<Row> = Row extends { id: number | string }
  ? { sort?: (row: Row) => SortKey }
  : { sort: (row: Row) => SortKey };

type Defaults = "envelope" | "status" | "problems";
type AnyLiteral = Described<Schema, z.ZodObject, Schema>;

/** A literal with its defaults filled in, and the verb that does the work. */
export type Operation = Omit<AnyLiteral, Defaults> &
  Required<Pick<AnyLiteral, Defaults>> &
  Rendered<never, never, Schema> & {
    method: Method["method"];
    changes: readonly ResourceName[];
    area: string;
    verb: (ctx: never, params: never, input: never) => Promise<unknown>;
    /** Set where the operation lists records: whole, or by pages in the order of a sort key. */
    list?: "all" | ((row: never) => SortKey);
    /** `control` where the verb works on the control database. */
    database: "company" | "control";
  };

const byId = ({ id }: { id: number | string }): SortKey => [id];

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

/** The operations of one area, each a literal and a verb. `C`: what its verbs need of the context. */
export class Router<C extends Ctx = Ctx> {
  readonly operations: Operation[] = [];
  readonly #area: string;
  readonly #database: "company" | "control";

  constructor(area: string, database: "company" | "control" = "company") {
    this.#area = area;
    this.#database = database;
  }

  /** Adds an operation on one record. Its verb gets the body, or for a GET the query. */
  add<Row, Result extends Schema, Params extends Schema, Input extends Schema>(
    literal: Method & Literal<C, Row, Params, Input & z.ZodObject, Input, Result>,
    verb: (ctx: C, params: Output<Params>, input: Output<Input>) => Promise<Row>,
  ): this {
    return this.#push(literal, verb);
  }

  /** Adds a list that gives all of its rows. */
  all<Row, Result extends Schema, Params extends Schema, Query extends z.ZodObject>(
    literal: Reading & Literal<C, Row, Params, Query, never, Result>,
    verb: (ctx: C, params: Output<Params>, query: Output<Query>) => Promise<readonly Row[]>,
  ): this {
    return this.#push({ method: "get", ...literal, list: "all" }, verb);
  }

  /** Adds a list by pages: the verb fetches `page.take` rows after `page.after`; `sort` names a row's place, if not its id. */
  list<Row, Result extends Schema, Params extends Schema, Query extends z.ZodObject>(
    literal: Reading & Literal<C, Row, Params, Query, never, Result> & Sorted<Row>,
    verb: (ctx: C, params: Output<Params>, query: Output<Query> & { page: Page }) => Promise<Listed<Row>>,
  ): this {
    const { sort = byId, ...rest }: { sort?: unknown } & typeof literal = literal;
    const query = literal.query?.extend(pageQuery) ?? z.object(pageQuery);
    return this.#push({ method: "get", ...rest, query, list: sort }, verb);
  }

  /** Adds an operation that answers with a file, to be saved under its name. */
  file<Params extends Schema>(
    literal: Reading & Omit<Described<Params, never, never>, "envelope" | "status">,
    verb: (ctx: C, params: Output<Params>) => Promise<StoredFile>,
  ): this {
    const example = { result: "%PDF-1.7 ..." };
    return this.#push({ method: "get", ...literal, result: Binary, envelope: "file", example }, verb);
  }

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
    const { verbs, sort = byId } = collection;
    this.#push({ ...list, query: z.object(pageQuery), list: sort }, verbs.list);
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

  // The types of one literal and its verb agree above; past this point all operations are handled alike.
  #push(literal: object, verb: unknown): this {
    const { record, ...rest }: { record?: Shown<never, never, Schema> } = literal;
    const { dryRun = isAboutMoney(literal) }: Pick<Operation, "dryRun"> = literal;
    this.operations.push({
      envelope: "data",
      status: 200,
      problems: [],
      changes: [],
      ...(dryRun ? { query: DryRunQuery, dryRun } : {}),
      ...(record && { result: record.schema, render: record.render }),
      ...rest,
      area: this.#area,
      database: this.#database,
      verb,
    } as unknown as Operation);
    return this;
  }
}
