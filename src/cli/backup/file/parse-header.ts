import * as z from "zod";
import { parsed } from "#shared/json.ts";
import { companySlug } from "#shared/text/slug.ts";
import { Failure } from "../../failure.ts";
import { FORMAT, type Header, MARK, sumOf } from "./header.ts";

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits");

const Release = z.looseObject({ format: z.int(), release: z.string() });
const Written = z.object({
  format: z.int().min(1).max(FORMAT),
  release: z.string(),
  source: z.discriminatedUnion("control", [
    z.object({ control: z.literal(true) }),
    z.object({
      control: z.literal(false),
      company: z.object({
        slug: companySlug,
        name: z.string(),
        country: z.string(),
        currency: z.string(),
        timezone: z.string(),
      }),
    }),
  ]),
  taken_at: z.iso.datetime(),
  sql: z.object({ bytes: count, sha256 }),
  files: z.object({ count, bytes: count, missing: count, sha256 }).optional(),
  migrations: z.record(z.string(), sha256),
  tables: z.record(z.string(), z.object({ rows: count, sha256 })),
  sha256,
}) satisfies z.ZodType<Header>;

/** Reads the first line of a backup. Throws a Failure where it is none, or one of a later release. */
export function parseHeader(line: string): Header {
  const json = line.startsWith(MARK) ? parsed(line.slice(MARK.length)) : undefined;
  if (json === undefined) throw new Failure("The file is no backup of company-ops");
  const { format, release } = checked(Release, json);
  if (format > FORMAT) throw new Failure(`The backup has format ${format}: read it with release ${release}`);
  const header = checked(Written, json);
  const { sha256: sum, ...said } = json as Header;
  if (sumOf(said) !== sum)
    throw new Failure("The header of the backup is not what was written: the file is damaged");
  return header;
}

function checked<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(json);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return data as z.output<Schema>;
  const member = issue.path.length === 0 ? "it" : issue.path.map(String).join(".");
  throw new Failure(`The header of the backup is wrong: ${member}: ${issue.message}`);
}
