import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const smsTemplates = sqliteTable("sms_templates", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  templateId: text("template_id").notNull(),
  text: text("text").notNull(),
  senderId: text("sender_id"),
  peId: text("pe_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
