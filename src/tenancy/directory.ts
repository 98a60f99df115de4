import { and, eq, getTableColumns, isNull, or, sql } from "drizzle-orm";
import type { Company } from "#core/context.ts";
import type { Admission } from "#core/coordination.ts";
import { Database, type DatabaseAddress } from "#core/database/database.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { apiKeys, companies } from "#tables/tenancy";
import { Memory } from "./memory.ts";
import { readRegistry } from "./migrations/read-registry.ts";
import { decryptFor, tokenPlace, tryDecryptFor } from "./secret-kinds.ts";

/** A company as the isolate remembers it for a few seconds. Plain data only. */
export type CompanyRecord = Company & {
  status: string;
  address: DatabaseAddress;
  clockOffsetMs: number;
  /** At most the schema number of its database. */
  schemaNumber: number;
  /** Calls in 60 seconds of all keys together; null: no ceiling. */
  callsCeiling: number | null;
  /** Messages in a day of all keys and of the company's own; null: no ceiling. */
  messagesCeiling: number | null;
};

/** An API key with its company, as the isolate remembers it for a few seconds. Plain data only. */
export type KeyRecord = Omit<KeyColumns, "scopes" | "allowedOrigins"> & {
  scopes: ReadonlySet<string>;
  allowedOrigins: readonly string[];
  company: CompanyRecord;
  /** Refusals of the limiter by quota name, so that a flood reaches neither object nor database. */
  refusals: Map<string, { admission: Admission; until: number }>;
};

/** Where keys and companies are looked up, and what opens the companies' tokens. */
export type Directory = {
  control: DatabaseAddress;
  masterKeys: readonly string[];
  /** A company's clock offset counts in a sandbox only. */
  sandbox: boolean;
};

// Leaves out the columns that only platform operations read: calls work before those are migrated.
const {
  databaseName: _,
  rateLimitCeiling: _rate,
  messagingRateCeiling: _messagingRate,
  messagingCapCeiling: _cap,
  keysCeiling: _keys,
  migratedAs: _migratedAs,
  spareDatabaseName: _spareName,
  spareDatabaseUrl: _spareUrl,
  spareDatabaseToken: _spareToken,
  databaseGeneration: _generation,
  ...companyColumns
} = getTableColumns(companies);
const { issuedBy: __, ...keyColumns } = getTableColumns(apiKeys);
type KeyColumns = Pick<typeof apiKeys.$inferSelect, keyof typeof keyColumns>;
type CompanyColumns = Pick<typeof companies.$inferSelect, keyof typeof companyColumns>;

const ORIGINS_MS = MINUTE_MS;

const keys = new Memory<KeyRecord | null>();
const companiesBySlug = new Memory<CompanyRecord | null>();
const origins = new Memory<readonly string[]>();

/**
 * The key's record, or null for an unknown or revoked one. Remembered for 10 s (a miss for 2 s); while the control
 * database cannot be reached, up to 60 s. Throws 503 `unavailable` when it is neither remembered nor readable.
 */
export function findKey(directory: Directory, clientId: string, now: number): Promise<KeyRecord | null> {
  return keys.recall(clientId, now, () => readKey(directory, clientId, now));
}

/** Reads a key's record anew, ahead of its time; undefined where that is not due. */
export function refreshKey(
  directory: Directory,
  clientId: string,
  now: number,
): Promise<unknown> | undefined {
  return keys.refresh(clientId, now, () => readKey(directory, clientId, now));
}

/**
 * The company of a slug, or null where none is open; remembered as a key is. One that is not remembered is read once the
 * caller is `admitted`.
 */
export async function findCompany(
  directory: Directory,
  slug: string,
  now: number,
  admitted?: Promise<unknown>,
): Promise<CompanyRecord | null> {
  if (companiesBySlug.peek(slug, now) === undefined) await admitted;
  return companiesBySlug.recall(slug, now, () => readCompany(directory, slug, now));
}

/** All origins that any live publishable key of the company allows: what a preflight, which names no key, is judged by. None where they are not remembered and may not be read. */
export async function findOrigins(
  directory: Directory,
  slug: string,
  now: number,
  mayRead: boolean,
): Promise<readonly string[]> {
  const known = origins.peek(slug, now, ORIGINS_MS);
  if (known === undefined && !mayRead) return [];
  return known?.value ?? origins.lookUp(slug, now, () => readOrigins(directory, slug, now));
}

async function readOrigins(directory: Directory, slug: string, now: number): Promise<readonly string[]> {
  const control = new Database(directory.control);
  const [rows] = await control.read([
    control.build
      .select({ allowedOrigins: apiKeys.allowedOrigins })
      .from(apiKeys)
      .innerJoin(companies, eq(companies.id, apiKeys.companyId))
      .where(
        and(
          eq(companies.slug, slug),
          eq(apiKeys.type, "publishable"),
          isNull(apiKeys.revokedAt),
          or(isNull(apiKeys.expiresAt), sql`${apiKeys.expiresAt} > ${now}`),
        ),
      ),
  ]);
  return rows.flatMap((row) => JSON.parse(row.allowedOrigins) as string[]);
}

/** Drops what this isolate remembers of a company, so that it sees its own changes at once. */
export function forgetCompany(slug: string): void {
  origins.drop((name) => name === slug);
  companiesBySlug.drop((name) => name === slug);
  keys.drop((_, key) => key === null || key.company.slug === slug);
}

const selectKey = keptQuery((db, { clientId }: Given<{ clientId: string }>) =>
  db
    .select({ key: keyColumns, company: companyColumns })
    .from(apiKeys)
    .innerJoin(companies, eq(companies.id, apiKeys.companyId))
    .where(and(eq(apiKeys.clientId, clientId), isNull(apiKeys.revokedAt))),
);
const selectCompany = keptQuery((db, { slug }: Given<{ slug: string }>) =>
  db.select(companyColumns).from(companies).where(eq(companies.slug, slug)),
);

async function readKey(directory: Directory, clientId: string, now: number): Promise<KeyRecord | null> {
  const [[row]] = await readRegistry(directory.control, now, (control) =>
    control.read([selectKey({ clientId })]),
  );
  const company = row === undefined ? null : await companyRecord(directory, row.company);
  if (row === undefined || company === null) return null;
  const { key } = row;
  return {
    ...key,
    scopes: new Set(JSON.parse(key.scopes) as string[]),
    allowedOrigins: JSON.parse(key.allowedOrigins) as string[],
    company,
    refusals: new Map(),
  };
}

async function readCompany(directory: Directory, slug: string, now: number): Promise<CompanyRecord | null> {
  const [[row]] = await readRegistry(directory.control, now, (control) =>
    control.read([selectCompany({ slug })]),
  );
  return row === undefined ? null : companyRecord(directory, row);
}

/** Of a closed company also where no key opens it: what is left of its work ends then. */
async function openToken(directory: Directory, { slug, closedAt }: CompanyColumns, encrypted: string) {
  if (closedAt === null) return decryptFor(directory, tokenPlace(slug), encrypted);
  return (await tryDecryptFor(directory, tokenPlace(slug), encrypted)) ?? "";
}

/** Null while the company's database is still being made. */
async function companyRecord(directory: Directory, row: CompanyColumns): Promise<CompanyRecord | null> {
  const { databaseUrl, databaseToken, ...company } = row;
  if (databaseUrl === null) return null;
  const token = databaseToken === null ? "" : await openToken(directory, row, databaseToken);
  const clockOffsetMs = directory.sandbox ? row.clockOffsetMs : 0;
  return { ...company, clockOffsetMs, address: { url: databaseUrl, token } };
}
