import { defineCommand } from "citty";
import type * as z from "zod";
import { withConcurrency } from "#core/jobs.ts";
import type { AdoptedDatabase, DatabaseClaim } from "#tenancy/registry-rebuild/schema.ts";
import { atOnceOf, atOnceOption } from "./at-once.ts";
import { databaseNames } from "./database-names.ts";
import { Failure, lineOf } from "./failure.ts";
import { openCompanies } from "./fleet.ts";
import { type Progress, progressOf } from "./progress.ts";
import { callAgain, callPlatform, type PlatformArguments, print } from "./request.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

type Claim = z.infer<typeof DatabaseClaim>;
type Adopted = z.infer<typeof AdoptedDatabase>;
type Failed = { database: string; error: string };

/** `company-ops adopt`: what the companies' own databases know and a restored control database does not. */
export const adopt = defineCommand({
  meta: {
    description: "Take in the companies and keys that the control database has lost, from the companies' own",
  },
  args: {
    ...platformOptions,
    from: {
      type: "string",
      description: "sqld's data folder, a file with the name of a database on each line, or turso",
      required: true,
    },
    lost: {
      type: "string",
      description: "The name of a database that is lost, so that it cannot say which one has taken its place",
    },
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    const atOnce = atOnceOf(args["at-once"]);
    const names = await databaseNames(args, args.from);
    const progress = progressOf(args.json);
    const failed: Failed[] = [];
    const fail = (database: string, error: unknown) => {
      failed.push({ database, error: lineOf(error) });
      progress.advance(`${database}: failed: ${lineOf(error)}`);
    };
    const claims: Claim[] = [];
    const query = args.lost === undefined ? "" : `?lost=${encodeURIComponent(args.lost)}`;
    const looked = new Set<string>();
    // A database that was replaced names the one that has its place, which may not be among those that were given.
    for (let next = names; next.length > 0; next = replacersIn(claims, looked)) {
      for (const name of next) looked.add(name);
      progress.begin(next.length, `${next.length} databases to look into`);
      await withConcurrency(next, atOnce, async (name) => {
        try {
          claims.push(await callAgain<Claim>(args, "GET", `/platform/databases/${name}${query}`));
          progress.advance(`${name}: read`);
        } catch (error) {
          fail(name, error);
        }
      });
    }
    const left = claims.filter(({ company }) => company === null);
    const own = claims.flatMap(({ database, company, digest }) =>
      company === null ? [] : [{ database, slug: company.slug, digest }],
    );
    const disputed = disputesIn(claims);
    progress.end(`${claims.length} read`);
    progress.begin(own.length, `${own.length} companies to take in`);
    const adopted: Adopted[] = [];
    await withConcurrency(own, atOnce, async ({ database, slug, digest }) => {
      const reason = disputed.get(database);
      if (reason !== undefined) return report(progress, adopted, refusedFor(database, slug, reason));
      try {
        const done = await callAgain<Adopted>(args, "POST", `/platform/databases/${database}/adopt`, {
          digest,
          lost: args.lost,
        });
        // It may lack migrations.
        if (done.outcome === "opened" || done.replaced !== null)
          await callAgain(args, "POST", `/platform/companies/${slug}/migrations`);
        report(progress, adopted, done);
      } catch (error) {
        fail(database, error);
      }
    });
    const refused = adopted.filter((one) => one.outcome === "refused" || one.keys_refused.length > 0);
    const unread = left.filter(({ reason }) => reason !== null);
    const isWhole = failed.length + refused.length + unread.length === 0;
    const leftOut = isWhole ? await notIn(args, looked) : [];
    if (isWhole && leftOut.length === 0) await callPlatform(args, "POST", "/platform/adoption");
    progress.end(summaryOf(adopted));
    if (leftOut.length > 0)
      progress.say(
        `${leftOut.length === 1 ? "1 database of a company was" : `${leftOut.length} databases of companies were`} not looked into, such as ${leftOut[0]}: until a run over all ends well, company-ops doctor says that companies wait`,
      );
    for (const { database, reason } of unread) progress.say(`${database} is left as it is: ${reason}`);
    const named = left.map(({ database, reason, replaced_by }) => ({ database, reason, replaced_by }));
    if (args.json) print({ complete: isWhole, adopted, left: named, failed });
    if (!isWhole)
      throw new Failure(
        `${failed.length} databases failed, ${refused.length} were refused, wholly or in part, and ${unread.length} were not believed`,
      );
  },
});

/** The databases of companies that the control database knows and the run did not look into: it was of some alone. */
async function notIn(args: PlatformArguments, looked: ReadonlySet<string>): Promise<string[]> {
  const companies = await openCompanies(args);
  return companies.flatMap(({ database }) => (looked.has(database) ? [] : [database]));
}

function replacersIn(claims: readonly Claim[], looked: ReadonlySet<string>): string[] {
  const named = claims.flatMap(({ replaced_by: by }) => (by === null || looked.has(by) ? [] : [by]));
  return [...new Set(named)];
}

/** Two databases that claim the same cannot both be right: a writer of one may have chosen what it claims. */
function disputesIn(claims: readonly Claim[]): Map<string, string> {
  const claimants = new Map<string, string[]>();
  for (const { database, company, client_ids: ids } of claims) {
    if (company === null) continue;
    const said = [`the company ${company.slug}`, `the id ${company.id}`, ...ids.map((id) => `the key ${id}`)];
    for (const one of said) claimants.set(one, [...(claimants.get(one) ?? []), database]);
  }
  const disputed = new Map<string, string>();
  for (const [said, databases] of claimants)
    if (databases.length > 1)
      for (const database of databases)
        disputed.set(database, `${databases.join(" and ")} both say that they have ${said}`);
  return disputed;
}

function refusedFor(database: string, company: string, reason: string): Adopted {
  const none = { replaced: null, keys_added: [], keys_changed: [], keys_revoked: [], keys_refused: [] };
  return { database, company, outcome: "refused", reason, ...none };
}

function report(progress: Progress, adopted: Adopted[], one: Adopted): void {
  adopted.push(one);
  const counts = [
    [one.keys_added, "added"],
    [one.keys_changed, "changed"],
    [one.keys_revoked, "revoked"],
    [one.keys_refused, "refused"],
  ] as const;
  const keys = counts.flatMap(([ids, word]) => (ids.length === 0 ? [] : `, ${ids.length} keys ${word}`));
  const place = one.replaced === null ? "" : `, in the place of ${one.replaced}`;
  const reason = one.reason === null ? "" : `: ${one.reason}`;
  progress.advance(
    `${one.database}: ${one.company ?? "no company"} ${one.outcome}${place}${keys.join("")}${reason}`,
  );
}

function summaryOf(adopted: readonly Adopted[]): string {
  const count = (outcome: Adopted["outcome"]) => adopted.filter((one) => one.outcome === outcome).length;
  return `${count("opened")} companies taken in, ${count("changed")} changed, ${count("unchanged")} as they were, ${count("refused")} refused`;
}
