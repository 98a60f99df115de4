import { type SQL, sql } from "drizzle-orm";
import { among, personEraser } from "#features/erasures";
import { eraseRecipients, recipientErasure } from "#features/messaging";
import { bookings } from "#tables/bookings";
import { messageRecipients } from "#tables/messaging";
import { notifications } from "./tables.ts";

/** What was sent of a person's lessons, leads and applications to others, as to the instructor or to the company. */
export const notificationEraser = personEraser<never>({
  erasure: recipientErasure,
  find: () => sql`SELECT 1 AS snapshot WHERE 0`,
  theirs: () => ({ ids: [] }),
  also(ctx, _person, idsOf) {
    const ofThem = sql`${bookings.customerId} IN ${among(idsOf("eraseCustomer"))}`;
    const theirs = {
      // In the words of the two indexes by customer.
      booking: sql`SELECT ${bookings.id} FROM ${bookings} WHERE ${ofThem} AND ${bookings.status} NOT IN ('cancelled', 'expired')
        UNION ALL SELECT ${bookings.id} FROM ${bookings} WHERE ${ofThem} AND ${bookings.status} IN ('cancelled', 'expired')`,
      lead: asTexts(idsOf("eraseLead")),
      application: asTexts(idsOf("eraseApplication")),
    };
    const told = Object.entries(theirs).map(
      ([resource, ids]) =>
        sql`(${notifications.resource} = ${resource} AND ${notifications.recordId} IN (${ids}))`,
    );
    return eraseRecipients(
      ctx,
      sql`SELECT ${messageRecipients.id} FROM ${notifications} CROSS JOIN ${messageRecipients}
        ON ${messageRecipients.messageId} = ${notifications.messageId}
        WHERE ${notifications.messageId} IS NOT NULL AND (${sql.join(told, sql` OR `)})`,
    );
  },
});

function asTexts(ids: readonly (string | number)[]): SQL {
  return sql`SELECT value FROM json_each(${JSON.stringify(ids.map(String))})`;
}
