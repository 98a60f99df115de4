import * as z from "zod";

export const Migrated = z.object({
  id: z.string().meta({ description: "`control`, or the company's slug." }),
  applied: z.array(z.string()).meta({ description: "The migrations that were missing, in order." }),
  durability: z.enum(["strong", "set", "unmanaged"]).meta({
    description:
      "Whether commits survive a power cut. `strong`: they did; `set`: sqld was set so that they do from now on; `unmanaged`: the database is not one of `SQLD_DATABASE_URL`.",
  }),
});
export const MigratedCompany = Migrated.extend({
  token: z.enum(["kept", "renewed"]).meta({
    description:
      "`renewed`: the company's database was opened by an older token, and from now on by `SQLD_DATABASE_TOKEN`.",
  }),
});
export const Unmigrated = z.object({ slug: z.string() });
export const MigrationState = z.object({
  missing: z.array(z.string()).meta({ description: "The migrations of the control database that are due." }),
  durability: z.enum(["strong", "relaxed", "unmanaged", "unknown"]).meta({
    description:
      "Whether its commits survive a power cut. `unmanaged`: the database is not one of `SQLD_DATABASE_URL`; `unknown`: the database provider did not say.",
  }),
});
