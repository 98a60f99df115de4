import { intro, log, outro, progress } from "@clack/prompts";
import { defineCommand } from "citty";
import { callPlatform, companySlugs, platformOptions } from "./request.ts";

type Migrated = { id: string; applied: string[]; durability: string };

/** `company-ops migrate` */
export const migrate = defineCommand({
  meta: { name: "migrate", description: "Bring the control database and every company's up to date" },
  args: platformOptions,
  async run({ args }) {
    intro("Migrations");
    report(await callPlatform<Migrated>(args, "POST", "/platform/migrations"));
    const slugs = await companySlugs(args);
    const bar = progress({ max: slugs.length });
    bar.start(`${slugs.length} companies`);
    for (const slug of slugs) {
      const migrated = await callPlatform<Migrated>(args, "POST", `/platform/companies/${slug}/migrations`);
      bar.advance(1, slug);
      if (migrated.applied.length > 0 || migrated.durability === "set") report(migrated);
    }
    bar.stop("Companies are up to date");
    outro("Done");
  },
});

function report({ id, applied, durability }: Migrated): void {
  const done = applied.length === 0 ? "up to date" : applied.join(", ");
  log.step(`${id}: ${done}${durability === "set" ? "; commits now survive a power cut" : ""}`);
}
