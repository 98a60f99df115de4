import { defineCommand } from "citty";
import type * as z from "zod";
import { currentTexts } from "#tenancy/migrations/migrated-database.ts";
import { schemaNumberOf } from "#tenancy/migrations/missing-and-changed.ts";
import type { Rollout as RolloutSchema } from "#tenancy/rollout/schema.ts";
import { Failure, printable } from "./failure.ts";
import { callPlatform, type PlatformArguments, print } from "./request.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

export type Rollout = z.infer<typeof RolloutSchema>;

const PATH = "/platform/rollout";
const options = { ...platformOptions, json: jsonOption } as const;

/** The rollout of the release in this folder, which may be a later one than the service that is asked. */
export function rolloutHere(args: PlatformArguments): Promise<Rollout> {
  return callPlatform<Rollout>(args, "GET", `${PATH}?schema_number=${numberHere()}`);
}

const show = defineCommand({
  meta: { description: "Show which companies this release may upgrade, and which failed" },
  args: options,
  async run({ args }) {
    report(await rolloutHere(args), args.json);
  },
});

const canary = defineCommand({
  meta: { description: "Let this release upgrade these companies alone" },
  args: {
    ...options,
    slug: { type: "positional", description: "The slugs of the companies", required: true },
  },
  run: ({ args }) => set(args, "canary", args._),
});

const open = defineCommand({
  meta: { description: "Let this release upgrade every company; those that failed are tried again" },
  args: options,
  run: ({ args }) => set(args, "open"),
});

const stop = defineCommand({
  meta: { description: "Let this release upgrade no further company" },
  args: options,
  run: ({ args }) => set(args, "stopped"),
});

export const rollout = defineCommand({
  meta: { description: "Which companies this release may upgrade" },
  subCommands: { show, canary, open, stop },
});

/** Throws a Failure that says what the rollout leaves out, unless the release may upgrade this company. */
export function refuseLeftOut({ state, canaries }: Rollout): (slug: string) => boolean {
  if (state === "stopped") throw new Failure("The rollout is stopped: company-ops rollout show says why");
  return (slug) => state === "open" || canaries.includes(slug);
}

async function set(
  args: PlatformArguments & { json: boolean },
  state: Rollout["state"],
  canaries: readonly string[] = [],
): Promise<void> {
  const body = { schema_number: numberHere(), state, canaries };
  report(await callPlatform<Rollout>(args, "PUT", PATH, body), args.json);
}

/** The number of the schema of the release in this folder. */
export function numberHere(): number {
  return schemaNumberOf(currentTexts("company"));
}

function report(rollout: Rollout, json: boolean): void {
  if (json) print(rollout);
  else for (const line of linesOf(rollout)) process.stdout.write(`${printable(line)}\n`);
}

function linesOf({
  schema_number: number,
  state,
  set_at: setAt,
  canaries,
  behind,
  failed,
}: Rollout): string[] {
  const named = state === "canary" ? `: ${canaries.join(", ")}` : "";
  const by = state === "stopped" && failed.length === 0 ? ", by its operator" : "";
  return [
    `Schema ${number}: ${state}${named}${setAt === null ? "" : ` since ${setAt}`}${by}. ${behind} companies have an older one`,
    ...failed.map(({ company, error, failed_at: at }) => `${company}: failed at ${at}: ${error}`),
  ];
}
