import { sql } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { whyGivenUp } from "#core/database/given-up.ts";
import { logFault } from "#core/log.ts";
import { encryptedBy } from "#core/secrets/encryption.ts";
import { type Opened, openSome } from "#core/secrets/open-some.ts";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import { COMPANY_MIGRATIONS } from "#migrations";
import { Problem } from "#shared/problem.ts";
import { companies } from "#tables/tenancy";
import { finished } from "#tenancy/companies/companies.ts";
import type { ControlCtx } from "#tenancy/context.ts";
import { hashed } from "#tenancy/migrations/migrate.ts";
import { type AppliedRow, lackingOf } from "#tenancy/migrations/missing-and-changed.ts";
import { tokenPlace, tryDecryptFor } from "#tenancy/secret-kinds.ts";
import { whyNoWrites } from "#tenancy/upkeep/why-no-writes.ts";

/** Why calls of a company fail, as a code, and what was tried to open. */
export type AccessRow = {
  slug: string;
  fault: string | null;
  encrypted: Opened[];
};

const TOKEN = "companies.database_token";

/**
 * Opens a company's database as its calls do, tries to open some of each kind of secret in it, and an empty write.
 * Remembers nothing, and asks the control database anew. Throws 404 where there is no company.
 */
export async function checkAccess(
  ctx: ControlCtx,
  slug: string,
  kinds: readonly SecretKind[],
): Promise<AccessRow> {
  const { directory } = ctx.plane;
  const [[company]] = await ctx.database.read([
    ctx.db
      .select({ url: companies.databaseUrl, token: companies.databaseToken })
      .from(companies)
      .where(finished(slug)),
  ]);
  if (company?.url == null) throw new Problem("company_not_found");
  const { url, token: encrypted } = company;
  const token = encrypted === null ? "" : await tryDecryptFor(directory, tokenPlace(slug), encrypted);
  const opened = openedToken(encrypted, token !== undefined);
  if (token === undefined) return { slug, fault: "no_key_opens", encrypted: opened };
  try {
    const database = Database.ofCompany({ url, token });
    const [applied] = await database.read([
      database.build.all<AppliedRow>(sql`SELECT * FROM migrations ORDER BY name`),
    ]);
    const { missing, unlike } = lackingOf(await hashed(COMPANY_MIGRATIONS), applied);
    if (missing.length + unlike.length > 0) return { slug, fault: "not_migrated", encrypted: opened };
    const { masterKeys } = directory;
    opened.push(...(await openSome({ database, kinds, masterKeys, company: slug })));
    return { slug, fault: await whyNoWrites(database), encrypted: opened };
  } catch (error) {
    if (error instanceof Problem) return { slug, fault: whyGivenUp(error), encrypted: opened };
    logFault("access", error, slug);
    return { slug, fault: "internal_error", encrypted: opened };
  }
}

/** A company on a server without tokens has none. */
function openedToken(encrypted: string | null, opens: boolean): Opened[] {
  if (encrypted === null) return [];
  const keys = opens ? [] : [encryptedBy(encrypted) ?? ""];
  return [{ column: TOKEN, tried: 1, unopened: opens ? 0 : 1, keys }];
}
