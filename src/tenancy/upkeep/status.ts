import { eq, sql } from "drizzle-orm";
import type * as z from "zod";
import { circuitBreakerOf } from "#core/database/circuit-breaker.ts";
import { Database } from "#core/database/database.ts";
import { whyGivenUp } from "#core/database/given-up.ts";
import { logFault } from "#core/log.ts";
import { COMPANY_MIGRATIONS } from "#migrations";
import { Problem } from "#shared/problem.ts";
import { timestampOrNull } from "#shared/time/dates.ts";
import { companies, companyUpkeep } from "#tables/tenancy";
import { backlogOf, type CompanyBacklog, renderCompanyBacklog } from "#tenancy/backlog/backlog.ts";
import { finished } from "#tenancy/companies/companies.ts";
import type { CompanyParams } from "#tenancy/companies/schema.ts";
import { hashed } from "#tenancy/migrations/migrate.ts";
import { type AppliedRow, lackingOf } from "#tenancy/migrations/missing-and-changed.ts";
import type { ControlCtx } from "../context.ts";
import type { CompanyStatus } from "./schema.ts";
import { WRITES_BLOCKED, whyNoWrites } from "./why-no-writes.ts";

type Answer = z.output<typeof CompanyStatus>;
type State = Pick<Answer, "schema" | "bytes" | "blocked" | "fault">;
type Known = Pick<Answer, "status" | "backup_bytes" | "broken_rules"> & {
  backed_up_at: number | null;
  checked_at: number | null;
};
export type StatusRow = Known & State & Pick<Answer, "breaker"> & { backlog: CompanyBacklog };

const UNKNOWN: State = { schema: null, bytes: null, blocked: null, fault: null };
const NOTHING_WAITS = { waiting: 0, overdue: 0, oldest: null, age: null, providers: [] };

/** How one company stands: its database, what waits, and when it was last backed up and checked. */
export async function getCompanyStatus(ctx: ControlCtx, { slug }: CompanyParams): Promise<StatusRow> {
  const [[known]] = await ctx.database.read([
    ctx.db
      .select({
        status: sql<Known["status"]>`iif(${companies.closedAt} IS NULL, ${companies.status}, 'closed')`,
        url: companies.databaseUrl,
        backed_up_at: companyUpkeep.backedUpAt,
        backup_bytes: companyUpkeep.backupBytes,
        checked_at: companyUpkeep.checkedAt,
        broken_rules: companyUpkeep.brokenRules,
      })
      .from(companies)
      .leftJoin(companyUpkeep, eq(companyUpkeep.companyId, companies.id))
      .where(finished(slug)),
  ]);
  if (known?.url == null) throw new Problem("company_not_found");
  const { url, ...row } = known;
  // The database of one that is closed may be gone.
  const [backlog, state] =
    row.status === "closed"
      ? [{ slug, reachable: false, ...NOTHING_WAITS }, UNKNOWN]
      : await Promise.all([backlogOf(ctx, slug), stateOf(ctx, slug)]);
  const breaker = { reads: breakerOf(url, "read"), writes: breakerOf(url, "write") };
  return { ...row, ...state, backlog, breaker };
}

export function renderStatus({ backlog, ...row }: StatusRow) {
  return {
    ...renderCompanyBacklog(backlog),
    ...row,
    backed_up_at: timestampOrNull(row.backed_up_at),
    checked_at: timestampOrNull(row.checked_at),
  };
}

async function stateOf(ctx: ControlCtx, slug: string): Promise<State> {
  try {
    const address = await ctx.plane.addressOf(slug, ctx.now);
    if (address === null) return { ...UNKNOWN, fault: "unavailable" };
    const database = Database.ofCompany(address);
    const [[applied, [size]], refused] = await Promise.all([
      database.read([
        database.build.all<AppliedRow>(sql`SELECT * FROM migrations`),
        database.build.all<{ bytes: number }>(
          sql`SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size`,
        ),
      ]),
      whyNoWrites(database),
    ]);
    const { missing, unlike } = lackingOf(await hashed(COMPANY_MIGRATIONS), applied);
    const schema = unlike.length > 0 ? "other" : missing.length > 0 ? "behind" : "current";
    const found = { schema, bytes: size?.bytes ?? null } as const;
    if (refused === WRITES_BLOCKED) return { ...found, blocked: "writes", fault: null };
    return { ...found, blocked: refused === null ? "none" : null, fault: refused };
  } catch (error) {
    if (!(error instanceof Problem)) {
      logFault("status", error, slug);
      return { ...UNKNOWN, fault: "internal_error" };
    }
    const fault = whyGivenUp(error);
    return { ...UNKNOWN, blocked: fault === "database_blocked" ? "all" : null, fault };
  }
}

function breakerOf(url: string, mode: "read" | "write"): "open" | "closed" {
  return circuitBreakerOf(url, mode).isOpen ? "open" : "closed";
}
