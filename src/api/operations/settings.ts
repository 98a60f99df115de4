import type * as z from "zod";
import type { ProblemCode } from "#shared/problem.ts";

type Schema = z.ZodType;

/** What the two operations of one set of settings differ in from those of another. */
export type Settings<C, Row, Wire extends Schema, Patch extends Schema> = {
  /** Below its router, if not the router's own. */
  path?: string;
  /** As in `getLeadSettings` and `updateLeadSettings`. */
  id: string;
  /** As in "Read the settings of leads". */
  words: string;
  record: { schema: Wire; render: (row: Row, ctx: C) => z.input<Wire> };
  patch: Patch;
  verbs: {
    get: (ctx: C) => Promise<Row>;
    update: (ctx: C, params: unknown, patch: z.output<Patch>) => Promise<Row>;
  };
  /** As of an operation, for the update. */
  keepsTexts?: true;
  /** What a change does besides, or asks for. */
  description?: string;
  /** The codes that a change can answer besides `no_accepted_fields`. */
  problems?: readonly ProblemCode[];
};

/** The literals of what reads and what changes settings, of which a company has one record. */
export function settingsLiterals(settings: Omit<Settings<never, never, Schema, Schema>, "verbs">) {
  const { path = "", id, words, record, patch, description, problems = [] } = settings;
  const named = record.schema.meta()?.id === undefined ? record.schema.meta({ id }) : record.schema;
  const shown = { path, result: named, render: record.render };
  return {
    get: {
      ...{ ...shown, id: `get${id}`, method: "get", summary: `Read ${words}`, scope: "settings:read" },
    },
    update: {
      ...{ ...shown, id: `update${id}`, method: "patch", changes: [], summary: `Change ${words}` },
      keepsTexts: settings.keepsTexts,
      ...(description === undefined ? {} : { description }),
      ...{ scope: "settings:write", body: patch, problems },
    },
  };
}
