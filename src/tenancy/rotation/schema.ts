import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";

const keyId = z
  .string()
  .nullable()
  .meta({ description: "The public name of a master key; null for a text that was never encrypted." });
const values = z.int().meta({ description: "How many values are encrypted with it." });
const status = z.enum(["waiting", "done", "failed"]).meta({
  description:
    "`done`: all is encrypted with the rotation's key; `waiting`: it has not been looked through yet; `failed`: it did not answer, or something in it opens with no key that the service has. What failed is tried again every ten minutes.",
});

export const KeyRotation = z
  .object({
    current_key_id: z.string().meta({ description: "The public name of `MASTER_KEY`." }),
    previous_key_id: z
      .string()
      .nullable()
      .meta({ description: "That of `PREVIOUS_MASTER_KEY`; null where there is none." }),
    rotation: z
      .object({
        key_id: z.string().meta({ description: "The master key that everything is encrypted with anew." }),
        started_at: timestamp,
        started_by: z.string(),
        status: status.describe(
          "`done`: all is encrypted with the rotation's key, and the previous key may be dropped; `waiting`: databases are still looked through; `failed`: all were, and some failed.",
        ),
        databases: z.object({ waiting: z.int(), done: z.int(), failed: z.int() }),
        values: z.array(z.object({ key_id: keyId, values })).meta({
          description: "The encrypted values that were found in all databases, as they are left.",
        }),
      })
      .nullable()
      .meta({ description: "The one that was started last; null before the first." }),
  })
  .meta({ id: "KeyRotation" });

export const ReencryptedDatabase = z
  .object({
    database: z.string().meta({ description: "The company's slug; `control` for the control database." }),
    status,
    values: z
      .array(
        z.object({ column: z.string().describe("Table and column of the values."), key_id: keyId, values }),
      )
      .meta({ description: "The encrypted values that its last look found, as they are left." }),
    error: z
      .string()
      .nullable()
      .meta({ description: "`no_key_opens`, or the code of what went wrong with the database." }),
    looked_at: timestamp.nullable().describe("When it was last looked through."),
  })
  .meta({ id: "ReencryptedDatabase" });
export const ReencryptedDatabaseQuery = z.object({ status: status.optional() });

export type ReencryptedDatabaseQuery = z.infer<typeof ReencryptedDatabaseQuery>;
