import { withConcurrency } from "#core/jobs.ts";
import { counted } from "#shared/text/counted.ts";
import { askPlatform, type Target } from "./ask.ts";
import { LOG, type Report, Skipped, Wrong } from "./report.ts";

type Opened = { column: string; tried: number; unopened: number; keys: string[] };
type Access = { slug: string; fault: string | null; encrypted: Opened[] };
/** `isFull`: whether the disk was found full, which closes databases too. */
type Look = { slugs: readonly string[]; all: boolean; atOnce: number; isFull: boolean };

/** How many companies are looked at, unless all are. */
const SAMPLE = 10;
const MOST_NAMED = 5;
const LIMIT_MS = 60_000;
const LIMIT_OF_EACH_MS = 2_000;
const KEYS =
  "give the service the key that encrypted them, as MASTER_KEY or PREVIOUS_MASTER_KEY; `company-ops master-key status` shows those it has";
const OF_WRITES = new Set(["writes_blocked", "writes_unavailable"]);
const OF_DISK = new Set(["database_closed", "writes_unavailable"]);
const DAMAGED = 'docs/operate.md, "A company\'s database is damaged"';
const UNBLOCK =
  "find out why the operator of the database server blocks them (sqld: `block_reason` of GET /v1/namespaces/NAME/config at its admin port; Turso: a quota), and lift it";
const REMEDIES: Record<string, string> = {
  no_key_opens: KEYS,
  not_migrated: "run `company-ops migrate`",
  database_blocked: UNBLOCK,
  writes_blocked: UNBLOCK,
  database_damaged: DAMAGED,
  database_empty: DAMAGED,
  database_missing: `after a loss of the control database run \`company-ops adopt\`; else were their namespaces removed? ${DAMAGED}`,
  database_closed: `is the token of their databases of sqld's key, and has sqld's disk room? ${LOG}`,
  database_replaced: "`company-ops company use-spare` (docs/operate.md, Back up, verify, restore)",
  writes_unavailable: `has the server lost a writer (docs/operate.md, When a database takes no writes)? ${LOG}`,
  unavailable: `do their databases answer? Where others do, a file may be cut: see sqld's log, and ${DAMAGED}. ${LOG}`,
};

/** Opens companies that exist, as their calls do: all of them, or some that chance names. */
export async function checkCompanies(report: Report, target: Target, look: Look): Promise<void> {
  const slugs = look.all ? look.slugs : someOf(look.slugs);
  const limitMs = LIMIT_MS + (slugs.length * LIMIT_OF_EACH_MS) / look.atOnce;
  const found: Access[] = [];
  await report.check(
    "companies",
    async (signal) => {
      if (slugs.length === 0) throw new Skipped("there is none yet");
      await withConcurrency(slugs, look.atOnce, async (slug) => {
        const path = `/platform/companies/${encodeURIComponent(slug)}/access`;
        found.push(await askPlatform<Access>(target, "GET", path, { signal }));
      });
      return opened(found, look);
    },
    { limitMs },
  );
  if (found.length > 0) await report.check("blocked writes", async () => blockedWrites(found, look));
  if (found.length > 0) await report.check("encrypted values", async () => encryptedValues(found));
}

function opened(found: readonly Access[], { slugs, isFull }: Look): string {
  const closed = found.filter(({ fault }) => fault !== null && !OF_WRITES.has(fault));
  const faulty = closed.filter(({ fault }) => !(isFull && OF_DISK.has(fault ?? "")));
  if (faulty.length > 0)
    throw new Wrong(
      `${faulty.length} of ${found.length} that were tried do not open: ${named(faulty)}`,
      remedyOf(faulty),
    );
  const all = `${found.length - closed.length} of ${counted(slugs.length, "company", "companies")} open as for their calls`;
  return closed.length === 0 ? all : `${all}; the disk closes ${closed.length} that were tried`;
}

/** Of each cause its own. */
function remedyOf(faulty: readonly Access[]): string {
  const causes = [...new Set(faulty.map(({ fault }) => fault ?? ""))];
  if (causes.length === 1) return REMEDIES[causes[0] ?? ""] ?? LOG;
  return causes.map((cause) => `${cause}: ${REMEDIES[cause] ?? LOG}`).join("; ");
}

function blockedWrites(found: readonly Access[], { isFull }: Look): string {
  const unwritten = found.filter(({ fault }) => OF_WRITES.has(fault ?? ""));
  const blocked = unwritten.filter(({ fault }) => !(isFull && OF_DISK.has(fault ?? "")));
  if (blocked.length === 0) return "none of their databases is blocked for writes alone";
  throw new Wrong(
    `${blocked.length} of ${found.length} that were tried are read and not written: ${named(blocked)}`,
    remedyOf(blocked),
  );
}

function named(found: readonly Access[]): string {
  const some = found.slice(0, MOST_NAMED).map(({ slug, fault }) => `${slug} (${fault})`);
  return `${some.join(", ")}${found.length > MOST_NAMED ? ", ..." : ""}`;
}

function encryptedValues(found: readonly Access[]): string {
  const values = found.flatMap(({ slug, encrypted }) => encrypted.map((one) => ({ slug, ...one })));
  const closed = values.filter(({ unopened }) => unopened > 0);
  const columns = Map.groupBy(closed, ({ column }) => column);
  if (columns.size === 0) {
    const tried = values.reduce((sum, one) => sum + one.tried, 0);
    const kinds = new Set(values.filter((one) => one.tried > 0).map(({ column }) => column));
    return `${tried} of ${counted(kinds.size, "column")} open`;
  }
  const lines = [...columns].map(([column, some]) => {
    const unopened = some.reduce((sum, one) => sum + one.unopened, 0);
    const keys = new Set(some.flatMap((one) => one.keys));
    return `${unopened} of ${column} need the key ${[...keys].join(" or ")} (${some[0]?.slug})`;
  });
  throw new Wrong(lines.join("; "), KEYS);
}

function someOf(slugs: readonly string[]): string[] {
  const left = [...slugs];
  const take = () => left.splice(Math.floor(Math.random() * left.length), 1);
  return Array.from({ length: Math.min(SAMPLE, slugs.length) }, take).flat();
}
