import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const units = sqliteTable("units", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  code: text("code").notNull(),
  name: text("name").notNull(),
  /** The unit that this one is a multiple of, and how many thousandths of it; null where it is none. */
  baseCode: text("base_code"),
  factorThousandths: integer("factor_thousandths"),
});
