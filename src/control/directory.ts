import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Company } from "#platform/context.ts";
import type { Admission } from "#platform/coordination.ts";
import { Database, type DatabaseAddress } from "#platform/database.ts";
import { open } from "#platform/secrets.ts";
import { apiKeys, companies } from "./tables.ts";

/** An API key with its company, as the isolate remembers it for a few seconds. Plain data only. */
export type KeyRecord = {
  clientId: string;
  type: "secret" | "publishable";
  name: string;
  scopes: ReadonlySet<string>;
  allowedOrigins: readonly string[];
  secretHash: string | null;
  previousSecretHash: string | null;
  previousSecretExpiresAt: number | null;
  rateLimitPerMinute: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  company: Company & { status: string; address: DatabaseAddress; clockOffsetMs: number };
  /** Refusals of the limiter by quota name, so that a flood reaches neither object nor database. */
  refusals: Map<string, { admission: Admission; until: number }>;
};

/** Where keys and companies are looked up, and what opens the companies' tokens. */
export type Directory = {
  control: DatabaseAddress;
  masterKeys: readonly string[];
  /** Only there a company's clock offset counts. */
  sandbox: boolean;
};

const FRESH_MS = 10_000;
const MISS_MS = 2_000;
const STALE_MS = 60_000;
const ORIGINS_MS = 60_000;
const MOST = 1_000;

type Remembered<T> = { value: T; at: number };

const keys = new Map<string, Remembered<KeyRecord | null>>();
const origins = new Map<string, Remembered<readonly string[]>>();

/**
 * The key's record, or null for an unknown or revoked one. Remembered for 10 s (a miss for 2 s); while the control
 * database cannot be reached, up to 60 s. Throws 503 `unavailable` when it is neither remembered nor readable.
 */
export async function findKey(
  directory: Directory,
  clientId: string,
  now: number,
): Promise<KeyRecord | null> {
  const known = keys.get(clientId);
  const age = known === undefined ? Number.POSITIVE_INFINITY : now - known.at;
  if (known !== undefined && age < (known.value === null ? MISS_MS : FRESH_MS)) return known.value;
  try {
    const value = await readKey(directory, clientId);
    remember(keys, clientId, { value, at: now });
    return value;
  } catch (error) {
    if (known?.value != null && age < STALE_MS) return known.value;
    throw error;
  }
}

/** All origins that any live publishable key of the company allows: what a preflight, which names no key, is judged by. */
export async function findOrigins(
  directory: Directory,
  slug: string,
  now: number,
): Promise<readonly string[]> {
  const known = origins.get(slug);
  if (known !== undefined && now - known.at < ORIGINS_MS) return known.value;
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
  const value = rows.flatMap((row) => JSON.parse(row.allowedOrigins) as string[]);
  remember(origins, slug, { value, at: now });
  return value;
}

/** Drops what this isolate remembers of a company, so that it sees its own changes at once. */
export function forgetCompany(slug: string): void {
  origins.delete(slug);
  for (const [clientId, { value }] of keys)
    if (value === null || value.company.slug === slug) keys.delete(clientId);
}

async function readKey(directory: Directory, clientId: string): Promise<KeyRecord | null> {
  const control = new Database(directory.control);
  const [[row]] = await control.read([
    control.build
      .select({ key: apiKeys, company: companies })
      .from(apiKeys)
      .innerJoin(companies, eq(companies.id, apiKeys.companyId))
      .where(and(eq(apiKeys.clientId, clientId), isNull(apiKeys.revokedAt))),
  ]);
  if (row?.company.databaseUrl == null) return null;
  const { key, company } = row;
  const place = { company: company.slug, field: "database_token" };
  return {
    clientId: key.clientId,
    type: key.type,
    name: key.name,
    scopes: new Set(JSON.parse(key.scopes) as string[]),
    allowedOrigins: JSON.parse(key.allowedOrigins) as string[],
    secretHash: key.secretHash,
    previousSecretHash: key.previousSecretHash,
    previousSecretExpiresAt: key.previousSecretExpiresAt,
    rateLimitPerMinute: key.rateLimitPerMinute,
    expiresAt: key.expiresAt,
    lastUsedAt: key.lastUsedAt,
    company: {
      id: company.id,
      slug: company.slug,
      name: company.name,
      country: company.country,
      currency: company.currency,
      timezone: company.timezone,
      status: company.status,
      clockOffsetMs: directory.sandbox ? company.clockOffsetMs : 0,
      address: {
        url: row.company.databaseUrl,
        token:
          company.databaseToken === null
            ? ""
            : await open(directory.masterKeys, place, company.databaseToken),
      },
    },
    refusals: new Map(),
  };
}

function remember<T>(memory: Map<string, Remembered<T>>, name: string, entry: Remembered<T>): void {
  memory.delete(name);
  memory.set(name, entry);
  const oldest = memory.keys().next();
  if (memory.size > MOST && !oldest.done) memory.delete(oldest.value);
}
