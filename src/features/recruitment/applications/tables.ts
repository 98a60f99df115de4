import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { KeptFiles } from "#core/files/kept-files.ts";

/** One row. */
export const recruitmentSettings = sqliteTable("recruitment_settings", {
  id: integer("id").primaryKey(),
  retentionDays: integer("retention_days"),
});

/** The folder that the files of applications are kept in. */
export const RESUMES = "resumes";

export const APPLICATION_STATUSES = [
  "received",
  "in_review",
  "shortlisted",
  "interview",
  "offered",
  "hired",
  "rejected",
  "withdrawn",
] as const;

export const applications = sqliteTable("applications", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  applicationNumber: text("application_number").notNull(),
  jobId: integer("job_id").notNull(),
  emailNorm: text("email_norm").notNull(),
  firstName: text("first_name").notNull(),
  lastName: text("last_name"),
  email: text("email").notNull(),
  phone: text("phone"),
  coverLetter: text("cover_letter"),
  totalExperience: integer("total_experience"),
  expectedSalary: integer("expected_salary"),
  noticePeriodDays: integer("notice_period_days"),
  linkedinUrl: text("linkedin_url"),
  skills: text("skills").notNull(),
  consent: integer("consent"),
  status: text("status").$type<(typeof APPLICATION_STATUSES)[number]>().notNull(),
  isFlagged: integer("is_flagged").notNull(),
  visitorHash: text("visitor"),
  resumePath: text("resume_path").notNull(),
  resumeName: text("resume_name").notNull(),
  resumeType: text("resume_type").notNull(),
  resumeSize: integer("resume_size").notNull(),
  appliedAt: integer("applied_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const resumeFiles: KeptFiles = {
  folder: RESUMES,
  path: applications.resumePath,
  type: applications.resumeType,
};
