import { API_VERSION } from "#shared/version.ts";
import { Failure } from "../failure.ts";
import type { Dumped } from "./dump.ts";

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
};

const FORMAT = 1;
const MARK = "-- company-operations backup ";

/** The header as its line, a comment to SQL. */
export function headerLine(header: Omit<Header, "format" | "release">): string {
  return `${MARK}${JSON.stringify({ format: FORMAT, release: API_VERSION, ...header })}\n`;
}

/** Reads the first line of a backup. Throws a Failure where it is none, or one of a later release. */
export function parseHeader(line: string): Header {
  const header = line.startsWith(MARK) ? parse(line.slice(MARK.length)) : undefined;
  if (header === undefined) throw new Failure("The file is no backup of company-ops");
  if (header.format !== FORMAT)
    throw new Failure(`The backup has format ${header.format}: read it with release ${header.release}`);
  return header;
}

/** What a backup is of, in words. */
export function nameOf(source: Source): string {
  return source.control ? "the control database" : `company ${source.company.slug}`;
}

function parse(text: string): Header | undefined {
  try {
    return JSON.parse(text) as Header;
  } catch {
    return undefined;
  }
}
