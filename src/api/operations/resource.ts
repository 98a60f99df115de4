import type * as z from "zod";
import type { Ctx, EventSource } from "#core/context.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import type { Shown } from "./collection.ts";
import type { Scope } from "./scopes.ts";

type Described<Row, Wire extends z.ZodType> = {
  name: ResourceName;
  /** What a key must hold to read such a record, and with it its events. */
  scope: Scope;
  /** The record as its reads answer it. */
  record: Shown<Ctx, Row, Wire>;
  select: EventSource<Row>["select"];
  /** Other functions that render a snapshot which has all that its `render` needs. */
  alsoRenderedBy?: readonly unknown[];
  /** Each turns a snapshot of an earlier shape into one of the next: those of shape 1 by the first. */
  upgrades?: readonly ((row: never) => unknown)[];
};

/** A kind of record that events report: how its snapshot is taken, and how it is rendered for its readers. */
export type Resource = EventSource & {
  readonly scope: Scope;
  readonly record: z.ZodType;
  /** Renders a snapshot of a shape. */
  readonly renderShape: (row: unknown, shape: number, ctx: Ctx) => Promise<unknown>;
};

/** Describes a resource; stands beside the snapshot of its record. */
export function resource<Row, Wire extends z.ZodType>(described: Described<Row, Wire>): Resource {
  const { name, scope, record, select, alsoRenderedBy = [], upgrades = [] } = described;
  const { schema, render } = record;
  return {
    ...{ name, scope, record: schema, select },
    shape: upgrades.length + 1,
    renderedBy: new Set([render, ...alsoRenderedBy]),
    async renderShape(row, shape, ctx) {
      const upgraded = upgrades
        .slice(shape - 1)
        .reduce<unknown>((old, upgrade) => upgrade(old as never), row);
      return render(upgraded as Row, ctx);
    },
  };
}
