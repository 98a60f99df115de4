import * as z from "zod";
import { recordId } from "#shared/ids.ts";

export const RecordParams = z.object({ id: recordId });
export const DeletedRecord = z.object({ id: z.string(), deleted: z.literal(true) });

export type RecordParams = z.infer<typeof RecordParams>;

export function renderDeleted({ id }: { id: number }) {
  return { id: String(id), deleted: true as const };
}
