import * as z from "zod";
import { recordId } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";

export const ProjectParams = z.object({ project_id: recordId });
export const RecordParams = z.object({ project_id: recordId, id: recordId });

/** A member that the service sets: a request that has it is refused. */
export const readOnly = (reason: string) =>
  z
    .unknown()
    .optional()
    .refine((value) => value === undefined, {
      params: { code: "read_only" },
      error: `cannot be sent: ${reason}`,
    })
    .meta({ readOnly: true, description: `Cannot be sent: ${reason}.` });

/** The name of a node in a tree, whose path is made of such names. */
export const nodeName = cleanText({ min: 1, max: 255 })
  .refine((name) => !/[/\\]/.test(name), {
    params: { code: "invalid_characters" },
    error: "must not contain / or \\",
  })
  .meta({ description: "Unique among its siblings, without `/` and `\\`. Upper and lower case are equal." });

export const derivedPath = readOnly("it is derived from the names of the ancestors");

export type ProjectParams = z.infer<typeof ProjectParams>;
export type RecordParams = z.infer<typeof RecordParams>;
