import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export type AttemptError = "timeout" | "connection" | "tls" | "redirect" | "refused_address" | "status";
export type DeliveryState = "pending" | "sending" | "held" | "delivered" | "failed" | "skipped";

/** An event to be sent to an endpoint; triggers of `events` write them. */
export const eventDeliveries = sqliteTable("event_deliveries", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  sequence: integer("sequence").notNull(),
  endpointId: integer("endpoint_id").notNull(),
  /** 0, and 1 or more for a replay. */
  ordinal: integer("ordinal").notNull().default(0),
  state: text("state").$type<DeliveryState>().notNull().default("pending"),
  /** How often it was begun. */
  attempts: integer("attempts").notNull().default(0),
  dueAt: integer("due_at").notNull().default(0),
  /** Of the one that is the next try of a failing endpoint: when it would be due by itself. */
  ownDueAt: integer("own_due_at"),
  /** When the clock is to look. */
  lookAt: integer("look_at").notNull().default(0),
  /** Who sends it, or has made it. */
  lease: text("lease"),
  leasedUntil: integer("leased_until").notNull().default(0),
});

/** What became of each sending. */
export const eventAttempts = sqliteTable(
  "event_attempts",
  {
    deliveryId: integer("delivery_id").notNull(),
    n: integer("n").notNull(),
    at: integer("at").notNull(),
    status: integer("status"),
    durationMs: integer("duration_ms").notNull(),
    error: text("error").$type<AttemptError>(),
    responseExcerpt: text("response_excerpt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.n] })],
);
