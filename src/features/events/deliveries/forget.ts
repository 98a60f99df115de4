import { type SQL, sql } from "drizzle-orm";
import { events } from "#tables/core";
import {
  eventAttempts as attempts,
  eventDeliveries as deliveries,
  eventEndpoints as endpoints,
} from "#tables/events";

/** Whether an event is still to be sent to an endpoint that is active. */
export const isToBeSent = sql`EXISTS (SELECT 1 FROM ${deliveries}
  JOIN ${endpoints} ON ${endpoints.id} = ${deliveries.endpointId} AND ${endpoints.disabledReason} IS NULL
  WHERE ${deliveries.sequence} = ${events.sequence} AND ${deliveries.state} IN ('pending', 'sending', 'held'))`;

/** The two statements that forget the deliveries of the events that `old` selects; they run before those go. */
export function forgetDeliveries(old: SQL): SQL[] {
  const theirs = sql`SELECT ${deliveries.id} FROM ${deliveries} WHERE ${deliveries.sequence} IN (${old})`;
  return [
    sql`DELETE FROM ${attempts} WHERE ${attempts.deliveryId} IN (${theirs})`,
    sql`DELETE FROM ${deliveries} WHERE ${deliveries.sequence} IN (${old})`,
  ];
}
