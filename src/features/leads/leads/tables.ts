import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { KeptFiles } from "#core/files/kept-files.ts";

/** One row. */
export const leadSettings = sqliteTable("lead_settings", {
  id: integer("id").primaryKey(),
  retentionDays: integer("retention_days"),
  /** Encrypted. */
  turnstileSecret: text("turnstile_secret"),
  /** Its last four characters. */
  turnstileHint: text("turnstile_hint"),
});

export const leads = sqliteTable("leads", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  leadNumber: text("lead_number").notNull(),
  emailNorm: text("email_norm"),
  phoneLast9: text("phone_last9"),
  status: text("status").$type<"new" | "converted" | "lost">().notNull(),
  /** The slug of a source, which may be gone. */
  source: text("source").notNull(),
  name: text("name").notNull(),
  email: text("email"),
  phone: text("phone"),
  companyName: text("company_name"),
  jobTitle: text("job_title"),
  website: text("website"),
  city: text("city"),
  state: text("state"),
  country: text("country"),
  pincode: text("pincode"),
  productInterest: text("product_interest"),
  budget: integer("budget"),
  submissionCount: integer("submission_count").notNull(),
  createdAt: integer("created_at").notNull(),
  lastSubmittedAt: integer("last_submitted_at").notNull(),
  closedAt: integer("closed_at"),
  updatedAt: integer("updated_at").notNull(),
});

/** The folder that the files of submissions are kept in. */
export const ATTACHMENTS = "leads";

export const leadSubmissions = sqliteTable("lead_submissions", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  leadId: integer("lead_id").notNull(),
  contentHash: text("content_hash").notNull(),
  content: text("content").notNull(),
  attachmentPath: text("attachment_path"),
  attachmentName: text("attachment_name"),
  attachmentType: text("attachment_type"),
  attachmentSize: integer("attachment_size"),
  submittedAt: integer("submitted_at").notNull(),
});

export const attachmentFiles: KeptFiles = {
  folder: ATTACHMENTS,
  path: leadSubmissions.attachmentPath,
  type: leadSubmissions.attachmentType,
};
