import { and, asc, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { Database } from "#core/database/database.ts";
import { companies } from "#tables/tenancy";
import { THROW_AWAY_GLOB } from "./companies/throw-away.ts";
import type { Directory } from "./directory.ts";
import { tokenPlace, tryDecryptFor } from "./secret-kinds.ts";

type Token = { slug: string; token: string | null };

// One company whose token was damaged makes no instance unfit, and one that was opened under a wrong key hides none.
const OLDEST = 3;

/** SELECTs the tokens by which the master key is judged: of the three oldest companies that are open. */
export function selectOldestTokens(build: Database["build"]) {
  return build
    .select({ slug: companies.slug, token: companies.databaseToken })
    .from(companies)
    .where(
      and(
        isNotNull(companies.databaseToken),
        isNull(companies.closedAt),
        ne(companies.status, "provisioning"),
        sql`${companies.slug} NOT GLOB ${THROW_AWAY_GLOB}`,
      ),
    )
    .orderBy(asc(companies.id))
    .limit(OLDEST);
}

/** Whether a master key opens one of these tokens, or there is none. */
export async function someOpens(
  keys: Pick<Directory, "masterKeys">,
  tokens: readonly Token[],
): Promise<boolean> {
  const opens = await Promise.all(
    tokens.map(({ slug, token }) => tryDecryptFor(keys, tokenPlace(slug), token ?? "")),
  );
  return opens.length === 0 || opens.some((token) => token !== undefined);
}
