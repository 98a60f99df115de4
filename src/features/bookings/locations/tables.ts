import { integer, real, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const locations = recordTable("locations", {
  name: text("name").notNull(),
  type: text("type").notNull(),
  city: text("city"),
  state: text("state"),
  postcode: text("postcode"),
  latitude: real("latitude"),
  longitude: real("longitude"),
  operatingHours: text("operating_hours"),
  isActive: integer("is_active").notNull().default(1),
  deletedAt: integer("deleted_at"),
});
