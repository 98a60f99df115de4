import { createHash } from "node:crypto";
import { API_VERSION } from "#shared/version.ts";
import type { Dumped } from "../dump/dump.ts";
import type { FileSum } from "../files/section.ts";

/** Whose database a backup is of: what the control database says of the company, or nothing for itself. */
export type Source = { control: true } | { control: false; company: Company };
/** A company as the control database keeps it. */
export type Company = { slug: string; name: string; country: string; currency: string; timezone: string };

/** The first line of a backup. */
export type Header = Dumped & {
  format: number;
  source: Source;
  /** When its read transaction began, in UTC. */
  taken_at: string;
  release: string;
  /** Of all SQL after the first line. */
  sql: { bytes: number; sha256: string };
  /** Of the company's files, which come after the SQL; a backup without files has none. */
  files?: FileSum | undefined;
  /** Of the header's other members, as it writes them. */
  sha256: string;
};

/** Of a backup with files; without, it is 1. */
export const FORMAT = 2;
export const MARK = "-- company-operations backup ";

/** The header as its line, a comment to SQL. */
export function headerLine(header: Omit<Header, "format" | "release" | "sha256">): string {
  const said = { format: header.files === undefined ? 1 : FORMAT, release: API_VERSION, ...header };
  return `${MARK}${JSON.stringify({ ...said, sha256: sumOf(said) })}\n`;
}

/** The SHA-256 of what a header says: it finds damage and a changed name, and proves nothing of who wrote it. */
export function sumOf(said: object): string {
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

/** What a backup is of, in words. */
export function nameOf(source: Source): string {
  return source.control ? "the control database" : `company ${source.company.slug}`;
}
