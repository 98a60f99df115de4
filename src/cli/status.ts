import { defineCommand } from "citty";
import type * as z from "zod";
import { counted } from "#shared/text/counted.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { CompanyStatus } from "#tenancy/upkeep/schema.ts";
import { atOnceOf, atOnceOption } from "./at-once.ts";
import { Failure } from "./failure.ts";
import { type Failed, failedSaid, openCompanies, overFleet, refuseFailed } from "./fleet.ts";
import { progressOf } from "./progress.ts";
import { callAgain, print } from "./request.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

type Status = z.output<typeof CompanyStatus>;

const MEGABYTE = 1_000_000;
const DAY_HOURS = 24;
const CAUSES: Record<string, string> = {
  unavailable: "its database does not answer; where others do, its file may be damaged: see sqld's log",
  database_blocked: "its database is blocked by its server's operator",
  database_closed: "the database server refuses its token, or cannot read or write its files",
  database_damaged: "the file of its database is damaged",
  database_empty: "its database has no tables: its files are gone",
  database_missing: "the database server does not know its database",
  database_replaced: "another database has the place of its own",
  no_key_opens: "no master key of the service opens its token",
  writes_unavailable: "its database answers reads, and no writes",
};
/** The same for a cell of the table. */
const SHORT: Record<string, string> = {
  unavailable: "no answer",
  database_damaged: "damaged",
  database_empty: "empty",
  database_missing: "missing",
  database_closed: "closed",
  database_replaced: "replaced",
};
const NO_DISK =
  "the database server cannot write its files: no company's writes are done; make room on its disk";
const HEAD = ["company", "status", "schema", "MB", "waiting", "breaker", "backup", "check"];

/** `company-ops status`: a line for each company, and what is to be looked at. */
export const status = defineCommand({
  meta: {
    description: "Show how companies stand: schema, size, backlog, circuit breakers, last backup and check",
  },
  args: {
    ...platformOptions,
    slug: { type: "positional", description: "One company's slug; all that are not closed", required: false },
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    const atOnce = atOnceOf(args["at-once"]);
    const slugs = args.slug === undefined ? (await openCompanies(args)).map(({ slug }) => slug) : [args.slug];
    // Elsewhere than on a terminal the table alone is written.
    const progress = progressOf(args.json || !process.stdout.isTTY);
    const title = `${counted(slugs.length, "company", "companies")} to ask`;
    const { done, failed } = await overFleet(slugs, { atOnce, progress, title }, async (slug) => {
      const path = `/platform/companies/${encodeURIComponent(slug)}/status`;
      return { result: await callAgain<Status>(args, "GET", path), line: "asked" };
    });
    // An empty write needs no room: only a write finds a full disk.
    const { database: disk } = await callAgain<{ database: string }>(args, "POST", "/platform/probes");
    progress.end(`${done.length} asked`);
    const found = done.sort((one, other) => (one.slug < other.slug ? -1 : 1));
    const summary = summaryOf(found);
    if (args.json) print({ companies: found, failed, summary, disk });
    else process.stdout.write(`${table(found)}\n${said(summary)}\n`);
    if (disk === "files")
      throw new Failure(saidOfAll(NO_DISK, [...failed, ...silentOf(found)], slugs.length));
    refuseFailed([...failed, ...silentOf(found)], slugs.length);
  },
});

/** What is wrong with all, and which companies failed besides. */
function saidOfAll(found: string, failed: readonly Failed[], all: number): string {
  return failed.length === 0 ? found : `${found}; ${failedSaid(failed, all)}`;
}

/** The companies whose databases give nothing or take no write, but for closed ones, whose databases are not asked. */
function silentOf(found: readonly Status[]): Failed[] {
  return found.filter((one) => isSilent(one)).map((one) => ({ slug: one.slug, error: whySilent(one) }));
}

function whySilent({ schema, fault }: Status): string {
  return fault === null ? `its backlog cannot be read, schema ${schema}` : (CAUSES[fault] ?? fault);
}

function isBlocked({ blocked }: Status): boolean {
  return blocked === "writes" || blocked === "all";
}

function isSilent({ reachable, fault, status }: Status): boolean {
  return (!reachable || fault !== null) && status !== "closed";
}

function summaryOf(found: readonly Status[]) {
  const count = (concerns: (one: Status) => boolean) => found.filter(concerns).length;
  return {
    companies: found.length,
    unreachable: count(isSilent),
    behind: count(({ schema }) => schema === "behind" || schema === "other"),
    blocked: count(isBlocked),
    breaker_open: count((one) => breakerOf(one) !== "closed"),
    overdue: count(({ overdue }) => overdue > 0),
    never_backed_up: count((one) => one.backed_up_at === null),
    never_checked: count((one) => one.checked_at === null),
    broken: count((one) => (one.broken_rules ?? 0) > 0),
    bytes: found.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}

function said({ companies, bytes, ...counts }: ReturnType<typeof summaryOf>): string {
  const notable = Object.entries(counts).filter(([, count]) => count > 0);
  const words = notable.map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`);
  const all = `${counted(companies, "company", "companies")}, ${megabytes(bytes)} MB`;
  return [all, ...words].join("; ");
}

function table(found: readonly Status[]): string {
  const rows = [HEAD, ...found.map(cellsOf)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cellsOf(one: Status): string[] {
  return [
    one.slug,
    one.status,
    schemaOf(one),
    one.bytes === null ? "-" : megabytes(one.bytes),
    one.overdue > 0 ? `${one.waiting} (${one.overdue} overdue)` : String(one.waiting),
    breakerOf(one),
    agoSaid(one.backed_up_at),
    `${agoSaid(one.checked_at)}${one.broken_rules === null || one.broken_rules === 0 ? "" : `, ${one.broken_rules} broken`}`,
  ];
}

/** With what the operator of its server blocks; of a database that gives nothing, why. */
function schemaOf({ schema, blocked, fault }: Status): string {
  if (blocked === "all") return "blocked";
  if (schema === null) return SHORT[fault ?? ""] ?? fault ?? "-";
  if (blocked === "writes") return `${schema}, writes blocked`;
  return fault === null ? schema : `${schema}, no writes`;
}

/** Of the database, or else of a message provider. */
function breakerOf({ breaker, providers }: Status): string {
  const open = Object.entries(breaker).filter(([, state]) => state === "open");
  if (open.length > 0) return `open: ${open.map(([mode]) => mode).join(", ")}`;
  const resting = providers.filter((one) => one.paused_at !== null || one.resting_until !== null);
  return resting.length === 0 ? "closed" : `open: ${resting.map(({ kind }) => kind).join(", ")}`;
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}

function agoSaid(time: string | null): string {
  if (time === null) return "never";
  const hours = (Date.now() - Date.parse(time)) / HOUR_MS;
  return hours < 2 * DAY_HOURS
    ? `${Math.max(0, Math.round(hours))} h ago`
    : `${Math.round(hours / DAY_HOURS)} d ago`;
}
