import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import { companySlug } from "#shared/text/slug.ts";

const state = z.enum(["canary", "open", "stopped"]).meta({
  description:
    "Which companies the release may upgrade. `canary`: those in `canaries`; `open`: every company; `stopped`: none, until it is set again. It is `open` until it is set, and three companies that fail stop it.",
});
const DEFAULT = { description: "The number of the schema; left out: that of the release that answers." };
const number = z.int().min(1).max(1_000_000);

export const Rollout = z
  .object({
    schema_number: number,
    state,
    set_at: z.string().nullable().meta({
      format: "date-time",
      description: "When the state was set, or three failures set it; null where it never was.",
    }),
    canaries: z.array(z.string()).meta({ description: "The slugs of the companies that come first." }),
    behind: z.int().meta({ description: "How many companies have an older schema." }),
    failed: z.array(
      z.object({
        company: z.string(),
        error: z.string().meta({ description: "The migration that the database refused, and why." }),
        failed_at: timestamp,
      }),
    ),
  })
  .meta({ id: "Rollout" });

export const RolloutQuery = z.object({
  schema_number: z.coerce.number().pipe(number).optional().meta(DEFAULT),
});

export const RolloutChange = z
  .object({
    schema_number: number.optional().meta(DEFAULT),
    state,
    canaries: z.array(companySlug).max(100).optional().meta({ description: "Needed for `canary`." }),
  })
  .refine(({ state, canaries = [] }) => state !== "canary" || canaries.length > 0, {
    path: ["canaries"],
    error: "must name a company",
    params: { code: "required" },
  });

export type RolloutQuery = z.infer<typeof RolloutQuery>;
export type RolloutChange = z.infer<typeof RolloutChange>;
