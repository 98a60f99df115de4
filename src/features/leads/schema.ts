import * as z from "zod";
import { recordId } from "#shared/ids.ts";

export const IdParams = z.object({ id: recordId });
export const DeletedRecord = z.object({ id: z.int(), deleted: z.literal(true) });

export type IdParams = z.infer<typeof IdParams>;
