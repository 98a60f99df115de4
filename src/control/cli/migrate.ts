import { intro, log, outro, progress } from "@clack/prompts";
import { defineCommand } from "citty";
import { addressOf, callPlatform, listPlatform, platformOptions } from "./request.ts";

type Migrated = { id: string; applied: string[]; durability: string; token?: string };

export const migrate = defineCommand({
  meta: { name: "migrate", description: "Bring the control database and every company's up to date" },
  args: platformOptions,
  async run({ args }) {
    // A wrong address is told before anything is shown.
    addressOf(args);
    intro("Migrations");
    report(await callPlatform<Migrated>(args, "POST", "/platform/migrations"));
    const companies = await listPlatform<{ slug: string }>(args, "/platform/companies");
    const bar = progress({ max: companies.length });
    bar.start(`${companies.length} companies`);
    for (const { slug } of companies) {
      const migrated = await callPlatform<Migrated>(args, "POST", `/platform/companies/${slug}/migrations`);
      bar.advance(1, slug);
      const { applied, durability, token } = migrated;
      if (applied.length > 0 || durability === "set" || token === "renewed") report(migrated);
    }
    bar.stop("Companies are up to date");
    outro("Done");
  },
});

function report({ id, applied, durability, token }: Migrated): void {
  const done = applied.length === 0 ? "up to date" : applied.join(", ");
  const durable = durability === "set" ? "; commits now survive a power cut" : "";
  log.step(`${id}: ${done}${durable}${token === "renewed" ? "; opened by the token of today" : ""}`);
}
