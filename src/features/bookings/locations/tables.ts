import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const locations = sqliteTable("locations", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
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
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
