import * as z from "zod";
import { CompanyBacklog } from "#tenancy/backlog/schema.ts";

const timestamp = z.string().meta({ format: "date-time" });

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
      "Whether its database has all migrations; `other`: one of another text than this version has. Null where it did not answer, or the company is closed.",
  }),
  bytes: z.int().nullable().meta({ description: "The size of its database." }),
  blocked: z.enum(["none", "writes", "all"]).nullable().meta({
    description:
      "What the operator of its database server blocks: such calls get 503 `database_blocked`. Null where it gave no answer, or the company is closed.",
  }),
  breaker: z
    .object({ reads: breaker, writes: breaker })
    .meta({ description: "The circuit breakers of this instance before its database." }),
  backed_up_at: timestamp.nullable(),
  backup_bytes: z.int().nullable(),
  checked_at: timestamp.nullable(),
  broken_rules: z.int().nullable().meta({ description: "How many rules its records broke at that check." }),
}).meta({ id: "CompanyUpkeep" });
