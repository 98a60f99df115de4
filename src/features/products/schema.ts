import * as z from "zod";

export const DeletedRecord = z.object({ id: z.string(), deleted: z.literal(true) });

export function renderDeleted({ id }: { id: number }) {
  return { id: String(id), deleted: true as const };
}
