import type * as z from "zod";
import type { StoredFile } from "#core/files/folder.ts";
import type { ExternalIds } from "#core/write/external-id.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import type { Listed, Page, SortKey } from "#shared/page.ts";
import type { ProblemCode } from "#shared/problem.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import type { Shown } from "./collection.ts";
import type { Scope } from "./scopes.ts";

export type Schema = z.ZodType;
type Output<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;

/** How a reply wraps its record: `{data}`, `{success, data}`, `{success, <name>}`, the record's own keys; or it is a file. */
export type Envelope = "data" | "success" | "flat" | "file" | { success: string };

/**
 * One operation as data: what is special about it. The router, the API document and the contract tests all read it.
 * `record` has the schema of what is answered, and turns into it what the verb gives, and what is remembered for a
 * replay. `Home`: a row of the router's own record, which is shown unless the literal says otherwise.
 */
type Literal<C, Home, Row, Params, Query, Body, Result extends Schema> = Described<Params, Query, Body> &
  ({ record: Shown<C, Row, Result> } | AsUsual<Home, Row>);

// While a verb that is written in its place is looked at, its row is not known yet.
type AsUsual<Home, Row> = [Home] extends [never]
  ? never
  : unknown extends Row
    ? Unsaid
    : [Row] extends [Home]
      ? Unsaid
      : never;
type Unsaid = { record?: never };

export type Described<Params, Query, Body> = {
  summary: string;
  description?: string;
  /** What a secret key must hold, where it is not what its area's reads or writes need; `platform` for the operator. */
  scope?: Scope | "platform";
  /** Scopes that do in place of a `scope` that is named. Where the record decides which is needed, the verb judges it. */
  orScopes?: readonly Scope[];
  /** `any` where publishable keys are accepted too: Bookings only. */
  keys?: "any";
  /** The contract is defined, the operation is not built. */
  planned?: true;
  /** Of the path, where it has others than those of its router, or than `id`, the id of a record. */
  params?: Params;
  query?: Query;
  /** Of a read: gives the page to print that `format=html` asks for in place of JSON. */
  page?: (ctx: never, params: never, query: never) => Promise<string>;
  /** Set where a write takes `?dry_run=true`, as each about money does: it answers what it would, and writes nothing. */
  dryRun?: boolean;
  body?: Body;
  /** What a body that is left out stands for, if not for `{}`. */
  bodyLeftOut?: unknown;
  /** Set where the body comes as multipart/form-data: always, or where the client sends it so in place of JSON. */
  form?: "always" | "accepted";
  /** Where it is not that of its area. */
  envelope?: Envelope;
  /** 201 of a create, 200 of others, unless it says otherwise. One that creates or changes answers 200 for a change. */
  status?: 200 | 201 | 202;
  /** Of which records a write may leave events, if any. */
  changes?: readonly ResourceName[];
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
  /** Of what the caller may send an id of its own. `again` gives the answer for the record that the same create made before. */
  externalIds?: ExternalIds & {
    again?: (ctx: never, recordId: string, body: never) => Promise<unknown>;
    change?: ChangeByOwnId;
  };
  /** False where a sent Idempotency-Key is ignored. */
  idempotent?: false;
  /** Its record has a `version`: shown as ETag; checked where If-Match is taken too, as the body's `expected_version`. */
  version?: "shown" | "checked";
  /** Cache-Control of a read, `no-store` unless it says otherwise; what its client may keep has an ETag. */
  cacheControl?: string;
  /** Set where the isolate may answer again what it read within a second. Its answer depends on the request's URL alone. */
  isKept?: true;
};

/**
 * Adds to a create a PUT by the caller's own id, which makes the record or changes the one that has the id: `by` what
 * changes it, of the body the fields `of` a PATCH or else all; and what the PUT differs in.
 */
export type ChangeByOwnId = Pick<Described<never, never, never>, "problems" | "keepsTexts"> & {
  by: (ctx: never, params: never, body: never) => Promise<unknown>;
  of?: Schema;
  note?: string;
};

/** What each literal of a router has unless it says otherwise; its `problems` come on top. */
export type Defaults<C> = {
  record?: Shown<C, never, Schema>;
} & Pick<Described<Schema, never, never>, "params" | "keys" | "envelope" | "problems">;

type RowOf<D> = D extends { record: Shown<never, infer Row, Schema> } ? Row : never;

/** What a verb gets of a path with parameters: by its literal, its router, or an `id`, which is that of a record. */
type InPath<D, Path, Params> = Schema extends Params
  ? Path extends `${string}/:${string}`
    ? D extends { params: infer Usual }
      ? Output<Usual>
      : RecordParams
    : unknown
  : Output<Params>;

/** The verb by the id of its operation, as in `{ listPayments }`. */
type Named<Verb> = Readonly<Record<string, Verb>>;

/** A row's place in a list, which may be left out where that is its id. */
type Sorted<Row> = Row extends { id: number | string }
  ? { sort?: (row: Row) => SortKey }
  : { sort: (row: Row) => SortKey };

/** By the kind of a read: what its verb gives, what it gets with the query, and what its literal says besides. */
type Given<Row> = { one: Row; all: readonly Row[]; page: Listed<Row> };
type Got = { one: unknown; all: unknown; page: { page: Page } };
type Said<Row> = { one: unknown; all: unknown; page: Sorted<Row> };

/** Adds an operation that reads one record, all, or a page. */
export type AddRead<C, D, Added, Kind extends "one" | "all" | "page"> = <
  Row,
  Result extends Schema,
  Query extends z.ZodObject,
  Path extends string,
  Params extends Schema,
>(
  verb: Named<
    (ctx: C, params: InPath<D, Path, Params>, query: Output<Query> & Got[Kind]) => Promise<Given<Row>[Kind]>
  >,
  path: Path,
  literal: Literal<C, RowOf<D>, Row, Params, Query, never, Result> & {
    changes?: never;
  } & Said<Row>[Kind],
) => Added;

/** Adds an operation that writes; `Home`: what it answers a row of, unless it says otherwise. A query is part of its input. */
export type AddWrite<C, D, Added, Home = RowOf<D>> = <
  Row,
  Result extends Schema,
  Query extends z.ZodObject,
  Body extends Schema,
  Path extends string,
  Params extends Schema,
>(
  verb: Named<(ctx: C, params: InPath<D, Path, Params>, input: Output<Query> & Output<Body>) => Promise<Row>>,
  path: Path,
  literal: Literal<C, Home, Row, Params, Query, Body, Result>,
) => Added;

/** Adds an operation that answers with a file, to be saved under its name. */
export type AddFile<C, D, Added> = <Path extends string, Params extends Schema>(
  verb: Named<(ctx: C, params: InPath<D, Path, Params>) => Promise<StoredFile>>,
  path: Path,
  literal: Omit<Described<Params, never, never>, "envelope" | "status" | "changes">,
) => Added;
