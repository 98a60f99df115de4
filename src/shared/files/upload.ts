import * as z from "zod";
import { isSeen } from "#shared/fields/text.ts";
import { withoutMarks } from "#shared/text/without-marks.ts";
import { type FileKind, judgeFile, MEDIA_TYPES } from "./file-kinds.ts";
import type { Verdict } from "./office-package.ts";

/** Of one file. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
const MOST_PATH_BYTES = 100;
/** Of a name in the file systems of people. */
const MOST_NAME_BYTES = 255;
const NAMELESS = "file";

/** A file as it came in a form. In JSON, as in an example of the API's document, it is its name. */
export class Upload {
  /** As the client sent it; not fit for a path. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(name: string, bytes: Uint8Array<ArrayBuffer>) {
    this.name = name;
    this.bytes = bytes;
  }

  /** What stands after the last dot of the name, in lower case. */
  get extension(): string {
    return extensionOf(this.name);
  }

  /** The name without folders: letters and digits of any script, underscores and hyphens, 255 bytes at most. */
  get givenName(): string {
    const name = withoutMarks(this.name.normalize("NFC"));
    return plainName(name, /[^\p{L}\p{M}\p{N}\p{Join_Control}_-]+/gu, MOST_NAME_BYTES);
  }

  toJSON(): string {
    return this.name;
  }
}

/** A file's name in ASCII, 100 bytes at most, as paths and old clients take it; the extension stays. */
export function asciiName(name: string): string {
  return plainName(name.normalize("NFKD").replace(/\p{M}/gu, ""), /[^A-Za-z0-9_-]+/g, MOST_PATH_BYTES);
}

function extensionOf(name: string): string {
  return /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

function plainName(name: string, others: RegExp, most: number): string {
  const extension = `.${extensionOf(name)}`;
  const [last = ""] = name.split(/[/\\]/).slice(-1);
  const stem = last
    .slice(0, -extension.length)
    .replace(others, "-")
    .replace(/^-+|-+$/g, "");
  const { read } = new TextEncoder().encodeInto(stem, new Uint8Array(most - extension.length));
  return `${isSeen(stem) ? stem.slice(0, read) : NAMELESS}${extension}`;
}

/** A file of one of these kinds, by its extension and by its bytes, of 1 byte to 10 MiB; parsed with `checkForm`. */
export const uploadOf = (...kinds: readonly FileKind[]) =>
  z
    .unknown()
    .meta({
      type: "string",
      format: "binary",
      description: `A file: ${kinds.join(", ")}; at most 10 MB, without macros.`,
    })
    .transform((value, context) => {
      if (!(value instanceof Upload)) {
        context.addIssue({ code: "invalid_type", expected: "file", input: value });
        return z.NEVER;
      }
      const judged = (problem: Refusal | undefined) => {
        if (problem === undefined) return value;
        const [code, message] = problem;
        context.addIssue({ code: "custom", params: { code }, message });
        return z.NEVER;
      };
      const problem = problemOf(value, kinds);
      return problem instanceof Promise ? problem.then(judged) : judged(problem);
    });

type Refusal = [code: string, message: string];

function problemOf(
  { bytes, extension }: Upload,
  kinds: readonly FileKind[],
): Refusal | undefined | Promise<Refusal | undefined> {
  const kind = kinds.find((one) => one === extension);
  if (kind === undefined) return ["invalid_file_type", `must be a file of the type ${kinds.join(", ")}`];
  if (bytes.length === 0) return ["empty_file", "must not be empty"];
  if (bytes.length > MOST_FILE_BYTES) return ["file_too_large", "must have at most 10 MB"];
  const verdict = judgeFile(kind, bytes);
  return verdict instanceof Promise
    ? verdict.then((late) => refusalOf(kind, late))
    : refusalOf(kind, verdict);
}

function refusalOf(kind: FileKind, verdict: Verdict): Refusal | undefined {
  if (verdict === "macro") return ["macros_not_accepted", "must not contain macros"];
  if (verdict === "external")
    return ["external_parts_not_accepted", "must not load a template, an object or media from elsewhere"];
  return verdict === "fits" ? undefined : ["file_content_mismatch", `must be a ${kind} file in content too`];
}

/** The media type that the file is stored and given out under. */
export function mediaTypeOf(upload: Upload): string {
  return MEDIA_TYPES[upload.extension as FileKind];
}
