import { setTimeout } from "node:timers/promises";
import { defineCommand } from "citty";
import { atOnceOf, atOnceOption, eachOf } from "./at-once.ts";
import { Failure, lineOf } from "./failure.ts";
import { progressOf } from "./progress.ts";
import {
  addressOf,
  callPlatform,
  jsonOption,
  listPlatform,
  type PlatformArguments,
  platformOptions,
  print,
} from "./request.ts";

type Migrated = { id: string; applied: string[]; durability: string; token?: string };
type Failed = { slug: string; error: string };

const PAUSE_MS = 1_000;

/** `company-ops migrate`: what a run that was killed has done, the next one leaves out. */
export const migrate = defineCommand({
  meta: { name: "migrate", description: "Bring the control database and every company's up to date" },
  args: {
    ...platformOptions,
    all: {
      type: "boolean",
      description: "Look into every company's database, not only those that are behind",
    },
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    // The command refuses a wrong option before it shows anything.
    addressOf(args);
    const atOnce = atOnceOf(args["at-once"]);
    const progress = progressOf(args.json);
    const control = await callPlatform<Migrated>(args, "POST", "/platform/migrations");
    progress.say(lineFor(control));
    const path = args.all === true ? "/platform/companies" : "/platform/migrations/companies";
    const listed = await listPlatform<{ slug: string; status?: string }>(args, path);
    const companies = listed.filter(({ status }) => status !== "closed");
    const migrated: Migrated[] = [];
    const failed: Failed[] = [];
    progress.begin(companies.length, `${companies.length} companies to bring up to date`);
    await eachOf(companies, atOnce, async ({ slug }) => {
      try {
        const done = await migrateOne(args, slug);
        migrated.push(done);
        progress.advance(lineFor(done));
      } catch (error) {
        failed.push({ slug, error: lineOf(error) });
        progress.advance(`${slug}: failed: ${lineOf(error)}`);
      }
    });
    progress.end(failed.length === 0 ? "Companies are up to date" : `${migrated.length} are up to date`);
    if (args.json) print({ control, migrated, failed });
    if (failed.length > 0) throw notAll(failed, companies.length);
  },
});

/** It may be sent again, so what may pass is tried twice. */
async function migrateOne(args: PlatformArguments, slug: string): Promise<Migrated> {
  const path = `/platform/companies/${encodeURIComponent(slug)}/migrations`;
  try {
    return await callPlatform<Migrated>(args, "POST", path);
  } catch (error) {
    if (!(error instanceof Failure) || error.isFinal) throw error;
    await setTimeout(PAUSE_MS);
    return callPlatform<Migrated>(args, "POST", path);
  }
}

function notAll(failed: readonly Failed[], all: number): Failure {
  const named = failed.map(({ slug, error }) => `${slug} (${error})`).join(", ");
  return new Failure(`${failed.length} of ${all} companies failed, run it again: ${named}`);
}

function lineFor({ id, applied, durability, token }: Migrated): string {
  const done = applied.length === 0 ? "up to date" : applied.join(", ");
  const durable = durability === "set" ? "; commits now survive a power cut" : "";
  return `${id}: ${done}${durable}${token === "renewed" ? "; opened by the token of today" : ""}`;
}
