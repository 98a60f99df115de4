import type { Column, SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import {
  moneyOnWire,
  moneyToWire,
  percentOnWire,
  percentToWire,
  priceOnWire,
  priceToWire,
  quantityOnWire,
  quantityToWire,
  rateOnWire,
  rateToWire,
} from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { ValueOf } from "./json.ts";
import type { Added, Internal, Kind, Placed } from "./record.ts";

/** A field that is rendered in a way of its own. */
export function rendered<Stored, Wire extends z.ZodType>(
  schema: Wire,
  render: (stored: Stored) => z.input<Wire>,
): Kind<Stored, Wire> {
  return { schema, render };
}

/** A field that goes out as it is stored. */
function plain<Wire extends z.ZodType>(schema: Wire): Kind<z.input<Wire>, Wire> {
  return rendered(schema, (stored: z.input<Wire>) => stored);
}

/** An id that is text on the wire. */
export const idText = rendered(z.string(), (id: number) => String(id));
/** 0 or 1. */
export const flag = rendered(z.boolean(), (stored: number) => stored === 1);
/** An instant. */
export const instant = rendered(z.string(), timestampToWire);
/** An instant, said to be one in the document. */
export const dateTime = rendered(timestamp, timestampToWire);
/** Minor units, shown as a decimal. */
export const amount = rendered(moneyOnWire, moneyToWire);
/** Ten-thousandths of the major unit, shown as a decimal. */
export const unitPrice = rendered(priceOnWire, priceToWire);
/** Thousandths of a percent, shown as a decimal. */
export const percentage = rendered(percentOnWire, percentToWire);
/** Thousandths, shown as a decimal. */
export const thousandths = rendered(quantityOnWire, quantityToWire);

/** Millionths of a rate of exchange, shown as a decimal. */
export const exchangeRate = rendered(rateOnWire, rateToWire);

/** The same field where it may be null. */
export function nullable<Stored, Wire extends z.ZodType>({
  schema,
  render,
}: Kind<Stored, Wire>): Kind<Stored | null, z.ZodNullable<Wire>> {
  return rendered(schema.nullable(), (stored) => (stored == null ? null : render(stored)));
}

/** The same field with a description in the document. */
export function described<Stored, Wire extends z.ZodType>(
  { schema, render }: Kind<Stored, Wire>,
  description: string,
): Kind<Stored, Wire> {
  return rendered(schema.meta({ description }), render);
}

type Json = { read: (column: Column) => SQL };

/** A field out of a column that holds JSON. */
export function json<Stored, Wire extends z.ZodType>(kind: Kind<Stored, Wire>): Kind<Stored, Wire> & Json;
export function json<Stored>(field: Internal<Stored>): Internal<Stored> & Json;
export function json<Wire extends z.ZodType>(schema: Wire): Kind<z.input<Wire>, Wire> & Json;
export function json<Wire extends z.ZodType>(field: Kind<never, Wire> | Internal<never> | Wire): object {
  return { ...fieldOf(field), read: (column: Column) => sql`json(${column})` };
}

/** A field out of a column with another name, or out of an expression without values. */
export function from<Stored, Wire extends z.ZodType>(
  place: Column | SQL<Stored>,
  kind: Kind<Stored, Wire>,
): Placed<Stored, Wire>;
export function from<Stored>(
  place: Column | SQL<Stored>,
  field: Internal<Stored>,
): Internal<Stored> & { from: Column | SQL<Stored> };
export function from<Wire extends z.ZodType>(
  place: Column | SQL<z.input<Wire>>,
  schema: Wire,
): Placed<z.input<Wire>, Wire>;
export function from<Wire extends z.ZodType>(
  place: Column | SQL,
  field: Kind<never, Wire> | Internal<never> | Wire,
): object {
  return { ...fieldOf(field), from: place };
}

function fieldOf<Wire extends z.ZodType>(field: Kind<never, Wire> | Internal<never> | Wire): object {
  return "render" in field || "internal" in field ? field : plain(field);
}

/** A field that rendering adds out of others as they are stored, and of what it is given besides. */
export function added<Others, Wire extends z.ZodType, Given = unknown>(
  schema: Wire,
  add: (stored: Others, given: Given) => z.input<Wire>,
): Added<Others, Wire, Given> {
  return { schema, add };
}

/** A field that is selected, of its own column or out of `place`, and that no answer has. */
export function internal<Stored>(): Internal<Stored>;
export function internal<Place extends Column | SQL<unknown>>(
  place: Place,
): Internal<ValueOf<Place>> & { from: Place };
export function internal(place?: Column | SQL<unknown>): object {
  const field: Internal<unknown> = { internal: (stored) => stored };
  return place === undefined ? field : { ...field, from: place };
}
