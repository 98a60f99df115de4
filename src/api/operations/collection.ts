import type * as z from "zod";
import {
  Deleted,
  DeletedNumber,
  RecordParams,
  renderDeleted,
  renderDeletedNumber,
} from "#shared/fields/ids.ts";
import type { Listed, Page, SortKey } from "#shared/page.ts";
import type { ProblemCode } from "#shared/problem.ts";
import type { ResourceName } from "#shared/resource-names.ts";

type Schema = z.ZodType;
type Kind = "list" | "create" | "get" | "update" | "delete";

/** A record's schema, and what turns a row into it. */
export type Shown<C, Row, Wire extends Schema> = {
  schema: Wire;
  render: (row: Row, ctx: C) => z.input<Wire> | Promise<z.input<Wire>>;
};

/** What the operations of one collection differ in from those of another. */
export type Collection<
  C,
  Row,
  Wire extends Schema,
  Create extends Schema,
  Patch extends Schema,
  Owner extends z.ZodObject,
  Item extends z.ZodObject,
  Issued extends Schema,
> = {
  /** Of the collection below its router, if not the router's own; a record's is this with its id. */
  path?: string;
  /** The parameters of these paths, where they are more than a record's id, which is the last. */
  params?: { list?: Owner; record: Item };
  ids: { one: string; list: string; get?: string };
  /** As in "Add a category" and "List the categories". */
  words: readonly [one: string, all: string];
  record: Shown<C, Row, Wire>;
  /** What a create answers, where no read shows as much: a secret. */
  issued?: Shown<C, Row, Issued>;
  create: Create;
  /** Where a record can be changed, by `verbs.update`. */
  patch?: Patch;
  verbs: {
    list: (ctx: C, params: z.output<Owner>, query: { page: Page }) => Promise<Listed<Row>>;
    get?: (ctx: C, params: z.output<Item>) => Promise<Row>;
    create: (ctx: C, params: z.output<Owner>, body: z.output<Create>) => Promise<Row>;
    update?: (ctx: C, params: z.output<Item>, patch: z.output<Patch>) => Promise<Row>;
    remove?: (ctx: C, params: z.output<Item>) => Promise<{ id: number }>;
  };
  /** What narrows the list: members that may be left out. */
  filters?: z.ZodObject;
  /** A row's place in the list, its id unless it says otherwise. */
  sort?: (row: Row) => SortKey;
  problems?: Partial<Record<Exclude<Kind, "list">, readonly ProblemCode[]>>;
  /** The words of an operation where the usual ones do not say enough. */
  notes?: Partial<Record<Kind, { summary?: string; description?: string }>>;
  /** As of an operation, for its update. */
  keepsTexts?: true;
  /** Of which records each writing operation may leave events. */
  changes?: Partial<Record<"create" | "update" | "delete", readonly ResourceName[]>>;
};
type Literals = Omit<
  Collection<never, never, Schema, Schema, Schema, z.ZodObject, z.ZodObject, Schema>,
  "verbs"
>;

/** The literals of a collection's operations, in the order of the document. */
export function collectionLiterals(collection: Literals): Record<Kind, object> {
  const { path = "", ids, words, record, problems = {}, notes = {}, changes = {} } = collection;
  const { list: listParams, record: recordParams } = collection.params ?? { record: RecordParams };
  const [one, all] = words;
  const { issued = record } = collection;
  const shown = { result: record.schema, render: record.render };
  const reading = { method: "get", ...shown };
  const writing = { takesBlanks: true, ...shown };
  const owner = { path, ...(listParams === undefined ? {} : { params: listParams }) };
  const item = { path: `${path}/:${Object.keys(recordParams.shape).at(-1)}`, params: recordParams };
  const removed = { result: DeletedNumber, render: renderDeletedNumber };
  const removedText = { result: Deleted, render: renderDeleted };
  return {
    list: {
      ...{ id: ids.list, ...owner, summary: `List ${all}`, ...reading, ...notes.list },
    },
    create: {
      id: `create${ids.one}`,
      method: "post",
      ...owner,
      summary: `Add ${one}`,
      ...writing,
      ...notes.create,
      body: collection.create,
      status: 201,
      problems: problems.create ?? [],
      changes: changes.create ?? [],
      result: issued.schema,
      render: issued.render,
    },
    get: {
      ...{ id: ids.get ?? `get${ids.one}`, ...item, summary: `Read ${one}`, ...reading, ...notes.get },
    },
    update: {
      id: `update${ids.one}`,
      method: "patch",
      ...item,
      summary: `Change ${one}`,
      ...writing,
      ...notes.update,
      keepsTexts: collection.keepsTexts,
      body: collection.patch,
      changes: changes.update ?? [],
      problems: problems.update ?? [],
    },
    delete: {
      ...{ id: `delete${ids.one}`, method: "delete", ...item, summary: `Remove ${one}` },
      ...{ ...notes.delete, problems: problems.delete ?? [], changes: changes.delete ?? [] },
      ...(idOf(record.schema) === "string" ? removedText : removed),
    },
  };
}

/** The type of a record's id on the wire. */
function idOf(schema: Schema): string | undefined {
  return (schema as z.ZodObject).shape.id?.def.type;
}
