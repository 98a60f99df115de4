import * as z from "zod";
import { type FileKind, judgeFile, MEDIA_TYPES } from "./file-kinds.ts";
import type { Verdict } from "./office-package.ts";
import { MOST_FILE_BYTES, Upload } from "./upload.ts";

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
