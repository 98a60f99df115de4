import * as z from "zod";
import { timestamp } from "#shared/fields/instant.ts";
import { queueName, queues } from "#tenancy/backlog/schema.ts";
import { ControlRouter } from "#tenancy/control-router.ts";
import { probe } from "./probe.ts";
import { getReadiness, renderReadiness } from "./readiness.ts";

export const Readiness = z
  .object({
    ready: z.boolean(),
    faults: z
      .array(
        z.enum([
          "control_database_unavailable",
          "control_database_missing",
          "control_database_damaged",
          "control_database_closed",
          "control_database_not_migrated",
          "no_key_opens",
        ]),
      )
      .describe(
        "What keeps the instance from serving. The control database is `unavailable` (it does not answer), `missing` (its server does not know it), `damaged`, or `closed` (its server refuses our token, or cannot read or write its files). `no_key_opens`: no master key here opens the token of any of the three oldest companies.",
      ),
    environment: z.array(z.string()).meta({ description: "What is wrong with variables and bindings." }),
    version: z.string(),
    build: z.object({ commit: z.string().nullable(), date: timestamp.nullable() }),
    public_origin: z.string().nullable().describe("What links in messages begin with; null if not set."),
    now: timestamp.meta({ description: "What the clock of the instance says." }),
    database_now: timestamp.nullable().meta({ description: "What the clock of the database server says." }),
    writes_waiting: z.int().describe("Write batches in line before databases, in this instance."),
    writes_stalled_seconds: z.int().meta({
      description:
        "For how long a database that answers reads has answered no write, as this instance knows; 0 where each answers. Each call of this operation tries such databases again.",
    }),
    circuit_breakers_open: z
      .int()
      .meta({ description: "Databases whose reads or writes get no answer, as this instance knows." }),
    queues,
    heartbeats: z.array(z.object({ name: z.string(), at: timestamp })).meta({
      description: "When the minute's cron (`cron`) last ended, and each queue last brought a ping.",
    }),
  })
  .meta({ id: "Readiness" });

const Probe = z
  .object({
    database: z.enum(["written", "files", "refused"]).meta({
      description:
        "What became of a write to the control database. `files`: its server cannot write its files, such as on a full disk; `refused`: it was not written for another reason.",
    }),
    bucket: z.boolean().meta({ description: "Whether a small file could be stored, read and deleted." }),
    queues: z.array(
      z.object({
        name: queueName,
        sent: z.boolean().meta({ description: "Whether the queue took the ping." }),
      }),
    ),
  })
  .meta({ id: "BindingsProbe" });

/** What the operator may know of an instance. */
export const readinessRoutes = new ControlRouter("Platform", "/")
  .get({ getReadiness }, "/readiness", {
    summary: "Show whether this instance can serve, and why not",
    description:
      "What `/ready` judges, anew: the variables and bindings, the control database and its migrations, and the master key. No company's database is asked.",
    record: { schema: Readiness, render: renderReadiness },
  })
  .post({ probeBindings: probe }, "/probes", {
    summary: "Try the control database, the bucket and the queues",
    description:
      "Writes to the control database, stores, reads and deletes a small file, and sends a ping to each queue. When a ping arrives, `GET /platform/readiness` shows it among the heartbeats.",
    idempotent: false,
    record: { schema: Probe, render: (row) => row },
  });
