import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import { companySlug } from "#shared/text/slug.ts";

export const BacklogQuery = z.object({
  company: companySlug.optional(),
  after: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Go on behind this slug: `next_after` of the answer before." }),
});
export type BacklogQuery = z.infer<typeof BacklogQuery>;

const provider = z.object({
  id: z.string(),
  channel: z.enum(["sms", "chatapp", "email"]),
  kind: z.string(),
  paused_at: timestamp
    .nullable()
    .meta({ description: "Since it refused the company's credentials; until those are set anew." }),
  resting_until: timestamp
    .nullable()
    .meta({ description: "Until then it is left alone, since it failed several times in succession." }),
  waiting: z.int().meta({ description: "The recipients that wait for it." }),
});

export const queueName = z.enum(["messages", "housekeeping", "deliveries", "clock", "notifications"]);
export const queues = z
  .array(
    z.object({
      name: queueName,
      jobs: z.int().nullable().meta({ description: "Null where the queue does not report it." }),
      oldest_at: timestamp.nullable().describe("When the oldest came that still waits."),
    }),
  )
  .meta({ description: "As the queues report it: approximate and a little late." });

export const CompanyBacklog = z.object({
  slug: z.string(),
  reachable: z.boolean().meta({
    description: "False where its database did not answer: then nothing is known, and all counts are 0.",
  }),
  waiting: z.int().meta({ description: "Recipients that a provider has not been given yet." }),
  overdue: z.int().describe("Those of them that might have been sent to a minute ago, or longer."),
  oldest_at: timestamp
    .nullable()
    .meta({ description: "When the oldest message was accepted that still waits for a recipient." }),
  oldest_seconds: z.int().nullable().meta({ description: "How long ago that was." }),
  providers: z.array(provider).meta({ description: "Those that are paused or left alone now." }),
});

export const Backlog = z
  .object({
    queues,
    housekeeping: z.object({
      due: z.int().meta({ description: "Active companies whose hourly jobs are due, and not queued yet." }),
      oldest_at: timestamp.nullable().meta({ description: "Since when it is due for the first of them." }),
    }),
    companies: z.array(CompanyBacklog).describe("Those with a backlog."),
    next_after: z.string().nullable().describe("Where more companies follow: the `after` of the next call."),
  })
  .meta({ id: "Backlog" });
