import { defineCommand } from "citty";
import { counted } from "#shared/text/counted.ts";
import { atOnceOf, atOnceOption } from "./at-once.ts";
import { FIRST_MIGRATION, NO_TABLES } from "./doctor/readiness.ts";
import { Failure } from "./failure.ts";
import { type Failed, overFleet } from "./fleet.ts";
import { progressOf } from "./progress.ts";
import {
  addressOf,
  callAgain,
  callPlatform,
  listPlatform,
  type PlatformArguments,
  print,
} from "./request.ts";
import { type Rollout, refuseLeftOut, rolloutHere } from "./rollout.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

type Migrated = { id: string; applied: string[]; durability: string; token?: string };

/** `company-ops migrate`: what a run that was killed has done, the next one leaves out. */
export const migrate = defineCommand({
  meta: { description: "Bring the control database and every company's up to date" },
  args: {
    ...platformOptions,
    first: { type: "boolean", description: "Begin a new service, whose control database is empty" },
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
    if (args.first !== true) await refuseEmpty(args);
    const control = await callPlatform<Migrated>(args, "POST", "/platform/migrations");
    progress.say(`${control.id}: ${saidOf(control)}`);
    const rollout = await rolloutHere(args);
    const isIncluded = refuseLeftOut(rollout);
    const path = args.all === true ? "/platform/companies" : "/platform/migrations/companies";
    const listed = await listPlatform<{ slug: string; status?: string }>(args, path);
    const open = listed.filter(({ status }) => status !== "closed");
    const companies = open.filter(({ slug }) => isIncluded(slug));
    const leftOut = open.length - companies.length;
    const title = `${companies.length} companies to bring up to date`;
    const slugs = companies.map(({ slug }) => slug);
    const { done: migrated, failed } = await overFleet(slugs, { atOnce, progress, title }, async (slug) => {
      const migrations = `/platform/companies/${encodeURIComponent(slug)}/migrations`;
      const result = await callAgain<Migrated>(args, "POST", migrations);
      return { result, line: saidOf(result) };
    });
    const isWhole = failed.length === 0 && leftOut === 0;
    progress.end(
      isWhole ? "Companies are up to date" : `${migrated.length} are up to date${leftOutSaid(leftOut)}`,
    );
    if (args.json) print({ control, migrated, failed, left_out: leftOut });
    if (failed.length > 0) throw notAll(failed, companies.length, rollout);
  },
});

/** An empty control database may be one whose files are gone: with its tables made anew, every key would be 401. */
async function refuseEmpty(args: PlatformArguments): Promise<void> {
  const { missing } = await callPlatform<{ missing: string[] }>(args, "GET", "/platform/migrations");
  if (missing.includes(FIRST_MIGRATION)) throw new Failure(NO_TABLES);
}

function leftOutSaid(leftOut: number): string {
  if (leftOut === 0) return "";
  const were = leftOut === 1 ? "was" : "were";
  return `; ${counted(leftOut, "company", "companies")} ${were} left out: there is a canary, until company-ops rollout open`;
}

function notAll(failed: readonly Failed[], all: number, { state, canaries }: Rollout): Failure {
  const cure = state === "canary" ? `canary ${canaries.join(" ")}` : "open";
  const named = failed.map(({ slug, error }) => `${slug} (${error})`).join(", ");
  return new Failure(
    `${failed.length} of ${all} companies failed: ${named}. Remove the cause, run company-ops rollout ${cure}, then this again`,
  );
}

function saidOf({ applied, durability, token }: Migrated): string {
  const done = applied.length === 0 ? "up to date" : applied.join(", ");
  const durable = durability === "set" ? "; commits now survive a power cut" : "";
  return `${done}${durable}${token === "renewed" ? "; opened by the token of today" : ""}`;
}
