import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const instructors = recordTable("instructors", {
  name: text("name").notNull(),
  email: text("email"),
  phone: text("phone"),
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
});
