import * as z from "zod";

export const DeletedRecord = z.object({ id: z.int(), deleted: z.literal(true) });
