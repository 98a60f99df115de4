import * as z from "zod";
import { recordId } from "#shared/ids.ts";

export const RecordParams = z.object({ id: recordId });

export type RecordParams = z.infer<typeof RecordParams>;
