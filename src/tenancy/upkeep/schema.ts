import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import { CompanyBacklog } from "#tenancy/backlog/schema.ts";

export const BackupRecord = z.object({
  taken_at: z.iso.datetime().meta({ description: "When the read of its database began." }),
  bytes: z.int().min(1).meta({ description: "Of the file." }),
});
export type BackupRecord = z.output<typeof BackupRecord>;

export const Backup = z
  .object({ slug: z.string(), taken_at: timestamp, bytes: z.int() })
  .meta({ id: "RecordedBackup" });

const breaker = z.enum(["closed", "open"]);

export const CompanyStatus = CompanyBacklog.extend({
  status: z.enum(["active", "suspended", "closed"]),
  schema: z.enum(["current", "behind", "other"]).nullable().meta({
    description:
      "Its database lacks migrations where it is `behind`; `other`: it has one of another text than this version. Null where it did not answer, or the company is closed.",
  }),
  bytes: z.int().nullable().meta({ description: "The size of its database." }),
  blocked: z.enum(["none", "writes", "all"]).nullable().meta({
    description:
      "What the operator of its database server blocks: such calls get 503 `database_blocked`. Null where it gave no answer, or the company is closed.",
  }),
  fault: z.string().nullable().meta({
    description:
      "Why its database gives nothing, or takes no write: `unavailable` (it does not answer), `database_damaged` (its file is damaged), `database_empty` (it has no tables: its files are gone), `database_missing` (its server does not know it), `database_closed` (its server refuses our token, or cannot read or write its files), `database_replaced` (another database has its place), `database_blocked` (the operator of its server blocks it), `writes_unavailable` (its reads are answered, and its writes are not), `no_key_opens` (no master key opens its token), another code of a 503, or `internal_error`. Null where it is read and written, where only its writes are blocked, or the company is closed.",
  }),
  breaker: z
    .object({ reads: breaker, writes: breaker })
    .meta({ description: "The circuit breakers of this instance before its database; `open` refuses." }),
  backed_up_at: timestamp.nullable(),
  backup_bytes: z.int().nullable(),
  checked_at: timestamp.nullable().describe("When its books were last checked."),
  broken_rules: z.int().nullable().meta({ description: "How many rules its records broke at that check." }),
}).meta({ id: "CompanyUpkeep" });
