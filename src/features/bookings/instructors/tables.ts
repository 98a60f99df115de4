import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const instructors = sqliteTable("instructors", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  gender: text("gender"),
  nationality: text("nationality"),
  languages: text("languages").notNull(),
  transmission: text("transmission").$type<"auto" | "manual" | "both">().notNull(),
  carMake: text("car_make"),
  carModel: text("car_model"),
  bio: text("bio"),
  photoUrl: text("photo_url"),
  serviceAreas: text("service_areas").notNull(),
  locationIds: text("location_ids").notNull(),
  customFields: text("custom_fields").notNull(),
  schedule: text("schedule").notNull(),
  isActive: integer("is_active").notNull(),
  deletedAt: integer("deleted_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
