import { type SQL, sql } from "drizzle-orm";
import { among, personEraser } from "#features/erasures";
import { eraseRecipients, recipientErasure } from "#features/messaging";
import { bookings } from "#tables/bookings";
import { messageRecipients } from "#tables/messaging";
import { notifications } from "#tables/notifications";

/** What was sent of a person's lessons, leads and applications to others, as to the instructor or to the company. */
export const notificationEraser = personEraser<never>({
  erasure: recipientErasure,
  scope: "messages:write",
  find: () => sql`SELECT 1 AS snapshot WHERE 0`,
  theirs: () => ({ ids: [] }),
  also(ctx, { emails, phones }, idsOf) {
    // Also where nothing was left to erase of the booking itself.
    const theirs = {
      booking: sql`SELECT ${bookings.id} FROM ${bookings} WHERE ${bookings.customerConfirmed} = 1
          AND ${bookings.customerId} IN ${among(idsOf("eraseCustomer"))}
        UNION ${asTexts(idsOf("eraseBooking"))}`,
      lead: asTexts(idsOf("eraseLead")),
      application: asTexts(idsOf("eraseApplication")),
    };
    const matching = Object.entries(theirs).map(
      ([resource, ids]) =>
        sql`(${notifications.resource} = ${resource} AND ${notifications.recordId} IN (${ids}))`,
    );
    const sent = eraseRecipients(
      ctx,
      sql`SELECT ${messageRecipients.id} FROM ${notifications} CROSS JOIN ${messageRecipients}
        ON ${messageRecipients.messageId} = ${notifications.messageId}
        WHERE ${notifications.messageId} IS NOT NULL AND (${sql.join(matching, sql` OR `)})`,
    );
    const former = sql`UPDATE ${notifications} SET address = NULL WHERE ${notifications.address} IS NOT NULL
      AND lower(${notifications.address}) IN ${among([...emails, ...phones])}`;
    return [...sent, former];
  },
});

function asTexts(ids: readonly (string | number)[]): SQL {
  return sql`SELECT value FROM json_each(${JSON.stringify(ids.map(String))})`;
}
