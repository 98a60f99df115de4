import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import { databaseName } from "#tenancy/companies/schema.ts";

const clientIds = z.array(z.string());

export const DatabaseParams = z.object({
  name: databaseName.describe("The name of a database, where the companies' databases are."),
});

const lost = databaseName.optional().meta({
  description:
    "The name of a database that is lost, such as the company's here: what this one says of itself is believed without it.",
});
export const DatabaseQuery = z.strictObject({ lost });

export const DatabaseClaim = z
  .object({
    database: z.string(),
    company: z
      .object({ slug: z.string(), id: z.int() })
      .nullable()
      .meta({ description: "The company that it says it is of; null where it says none." }),
    reason: z.string().nullable().meta({ description: "Why what it says is not believed." }),
    client_ids: clientIds.meta({ description: "The keys that it says the company has." }),
    digest: z
      .string()
      .nullable()
      .meta({ description: "Of all that; to be sent with `adoptDatabase`. Null where there is no company." }),
    replaced_by: z.string().nullable().meta({
      description: "The database that has taken its place: the company is to be taken in from there.",
    }),
  })
  .meta({ id: "DatabaseClaim" });

export const DatabaseAdoption = z.object({
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")
    .meta({ description: "The `digest` of what the database said when it was read and found undisputed." }),
  lost,
});

export const AdoptedDatabase = z
  .object({
    database: z.string(),
    company: z.string().nullable().meta({ description: "The slug of the company that it says it is of." }),
    outcome: z.enum(["opened", "changed", "unchanged", "left", "refused"]).meta({
      description:
        "`opened`: the company was unknown and works again; `changed`: it was known, and keys, its suspension or its database were taken in; `left`: it is no company's own database; `refused`: what it says is another company's.",
    }),
    reason: z.string().nullable().describe("Why it was refused or left; null if it was not."),
    replaced: z.string().nullable().meta({
      description:
        "The database that the company had here, whose place this one has taken; it is its spare one now.",
    }),
    keys_added: clientIds.meta({ description: "Keys that were unknown." }),
    keys_changed: clientIds.meta({ description: "Keys whose later state was taken." }),
    keys_revoked: clientIds.meta({ description: "Keys that worked here and are revoked in the copy." }),
    keys_refused: clientIds.meta({ description: "Keys of ids that another company has: left out." }),
  })
  .meta({ id: "AdoptedDatabase" });

export const Adoption = z
  .object({
    restored_at: timestamp
      .nullable()
      .meta({ description: "When the control database was last put back from a backup; null: never." }),
    taken_at: timestamp.nullable().meta({ description: "When that backup was taken." }),
    adopted_at: timestamp.nullable().describe("When the companies' copies had been taken in since."),
    waiting: z.boolean().meta({ description: "Whether copies have to be taken in: `company-ops adopt`." }),
    databases: z
      .array(z.object({ name: z.string(), company: z.string().nullable() }))
      .nullable()
      .describe(
        "Every database at the provider, with the slug of its company; null where the provider cannot list them (sqld).",
      ),
  })
  .meta({ id: "Adoption" });

export type DatabaseAdoption = z.infer<typeof DatabaseAdoption>;
export type DatabaseQuery = z.infer<typeof DatabaseQuery>;
export type DatabaseParams = z.infer<typeof DatabaseParams>;
