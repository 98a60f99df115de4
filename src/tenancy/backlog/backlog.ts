import { and, asc, count, eq, gt, isNull, lte, min, ne, sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { withConcurrency } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import { Problem } from "#shared/problem.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { companies } from "#tables/tenancy";
import { type CompanyRecord, findCompany } from "#tenancy/directory.ts";
import type { ControlCtx } from "../context.ts";
import { ControlRouter } from "../control-router.ts";
import { Backlog, BacklogQuery } from "./schema.ts";

// One request to each company's database, as many side by side as a call has connections to spare.
const PAGE = 20;
const AT_ONCE = 4;
const OVERDUE_MS = MINUTE_MS;

type Counts = { waiting: number; overdue: number; oldest: number | null };
type Provider = {
  id: number;
  channel: "sms" | "chatapp" | "email";
  kind: string;
  paused_at: number | null;
  rests_until: number | null;
  waiting: number;
};
export type CompanyBacklog = Counts & {
  slug: string;
  reachable: boolean;
  age: number | null;
  providers: Provider[];
};
type BacklogRow = Awaited<ReturnType<typeof getBacklog>>;

/** What waits: for the operator. */
export const backlogRoutes = new ControlRouter("Platform", "/backlog").get({ getBacklog }, "/", {
  summary: "Show what waits to be done",
  description:
    "In the queues, for the hourly jobs, and of each company's messages. One call asks the databases of 20 companies, by their slugs; `after` goes on, and `company` asks one alone.",
  query: BacklogQuery,
  record: { schema: Backlog, render: renderBacklog },
  problems: ["company_not_found"],
});

/** What waits: in the queues, for the hourly jobs, and of one company or a page; throws 404 where there is none. */
async function getBacklog(ctx: ControlCtx, _params: unknown, { company, after = "" }: BacklogQuery) {
  const isOpen = ne(companies.status, "provisioning");
  const [page, [due]] = await ctx.database.read([
    ctx.db
      .select({ slug: companies.slug })
      .from(companies)
      .where(
        company === undefined
          ? and(isOpen, isNull(companies.closedAt), gt(companies.slug, after))
          : and(isOpen, eq(companies.slug, company)),
      )
      .orderBy(asc(companies.slug))
      .limit(PAGE + 1),
    ctx.db
      .select({ due: count(), oldest: min(companies.nextSweepAt) })
      .from(companies)
      .where(and(eq(companies.status, "active"), lte(companies.nextSweepAt, ctx.now))),
  ]);
  if (company !== undefined && page.length === 0) throw new Problem("company_not_found");
  const asked = page.slice(0, PAGE).map(({ slug }) => slug);
  const [queues, found] = await Promise.all([ctx.plane.queues(), askAll(ctx, asked)]);
  return {
    queues,
    housekeeping: due ?? { due: 0, oldest: null },
    companies: found,
    nextAfter: page.length > PAGE ? (asked.at(-1) ?? null) : null,
  };
}

function renderBacklog({ queues, housekeeping, companies: found, nextAfter }: BacklogRow) {
  return {
    queues: queues.map(({ name, jobs, oldest }) => ({ name, jobs, oldest_at: timestampOrNull(oldest) })),
    housekeeping: { due: housekeeping.due, oldest_at: timestampOrNull(housekeeping.oldest) },
    companies: found.map(renderCompanyBacklog),
    next_after: nextAfter,
  };
}

export function renderCompanyBacklog({ oldest, age, providers, ...rest }: CompanyBacklog) {
  return {
    ...rest,
    oldest_at: timestampOrNull(oldest),
    oldest_seconds: age,
    providers: providers.map(({ id, paused_at, rests_until, ...provider }) => ({
      ...provider,
      id: String(id),
      paused_at: timestampOrNull(paused_at),
      resting_until: rests_until === null ? null : timestampToWire(rests_until),
    })),
  };
}

async function askAll(ctx: ControlCtx, slugs: readonly string[]): Promise<CompanyBacklog[]> {
  const found = new Map<string, CompanyBacklog>();
  await withConcurrency(slugs, AT_ONCE, async (slug) => {
    found.set(slug, await backlogOf(ctx, slug));
  });
  return slugs.flatMap((slug) => found.get(slug) ?? []);
}

/** One company's; it says so where its database does not answer, or is not migrated yet. */
export async function backlogOf(ctx: ControlCtx, slug: string): Promise<CompanyBacklog> {
  try {
    const company = await findCompany(ctx.plane.directory, slug, ctx.now);
    if (company !== null) return { slug, reachable: true, ...(await readBacklog(company, ctx.now)) };
  } catch (error) {
    // One whose namespace was removed or is not migrated stops no other.
    if (!(error instanceof Problem)) logFault("backlog", error, slug);
  }
  return { slug, reachable: false, waiting: 0, overdue: 0, oldest: null, age: null, providers: [] };
}

async function readBacklog({ address, clockOffsetMs }: CompanyRecord, realNow: number) {
  const database = Database.ofCompany(address);
  const now = realNow + clockOffsetMs;
  const [[counts], providers] = await database.read([
    database.build.all<Counts>(sql`SELECT count(*) AS waiting,
      coalesce(sum(r.leased_until <= ${now - OVERDUE_MS}), 0) AS overdue, min(coalesce(m.send_at, m.created_at)) AS oldest
      FROM message_recipients r JOIN messages m ON m.id = r.message_id
      WHERE r.dispatch_state IN ('pending', 'dispatching') AND m.is_scheduled = 0`),
    database.build.all<Provider>(sql`SELECT p.id, p.channel, p.kind, p.paused_at,
      iif(p.rests_until > ${now}, p.rests_until, NULL) AS rests_until, (
        SELECT count(*) FROM message_recipients r JOIN messages m ON m.id = r.message_id
        WHERE r.dispatch_state IN ('pending', 'dispatching') AND m.is_scheduled = 0
          AND m.provider_id = p.id
      ) AS waiting
      FROM messaging_providers p WHERE p.paused_at IS NOT NULL OR p.rests_until > ${now} ORDER BY p.id`),
  ]);
  const { waiting, overdue, oldest } = counts ?? { waiting: 0, overdue: 0, oldest: null };
  const age = oldest === null ? null : Math.max(0, Math.floor((now - oldest) / 1_000));
  return { waiting, overdue, oldest, age, providers };
}
