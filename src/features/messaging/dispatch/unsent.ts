import { sql } from "drizzle-orm";
import { messageRecipients } from "#tables/messaging";

/** Whether a recipient is still to be sent to; in the words of the index that holds only such rows. */
export const isUnsent = sql`${messageRecipients.dispatchState} IN ('pending', 'dispatching')`;
