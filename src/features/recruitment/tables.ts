import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row. */
export const recruitmentSettings = sqliteTable("recruitment_settings", {
  id: integer("id").primaryKey(),
  retentionDays: integer("retention_days"),
});

export const departments = sqliteTable("departments", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  name: text("name").notNull(),
  parentId: integer("parent_id"),
  isActive: integer("is_active").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const jobs = sqliteTable("jobs", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  operation: text("operation").notNull(),
  slug: text("slug").notNull(),
  title: text("title").notNull(),
  departmentId: integer("department_id"),
  employmentType: text("employment_type").notNull(),
  workplaceType: text("workplace_type").notNull(),
  city: text("city"),
  state: text("state"),
  country: text("country"),
  postalCode: text("postal_code"),
  descriptionHtml: text("description_html").notNull(),
  descriptionText: text("description_text").notNull(),
  requirementsHtml: text("requirements_html"),
  skills: text("skills").notNull(),
  experienceMin: integer("experience_min"),
  experienceMax: integer("experience_max"),
  openings: integer("openings").notNull(),
  salaryMin: integer("salary_min"),
  salaryMax: integer("salary_max"),
  salaryCurrency: text("salary_currency").notNull(),
  salaryInterval: text("salary_interval").notNull(),
  publishSalary: integer("publish_salary").notNull(),
  status: text("status").notNull(),
  isPublished: integer("is_published").notNull(),
  postedAt: integer("posted_at").notNull(),
  /** The last day, `YYYY-MM-DD`. */
  closesAt: text("closes_at"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

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
  status: text("status").notNull(),
  isFlagged: integer("is_flagged").notNull(),
  visitor: text("visitor"),
  resumePath: text("resume_path").notNull(),
  resumeName: text("resume_name").notNull(),
  resumeType: text("resume_type").notNull(),
  resumeSize: integer("resume_size").notNull(),
  appliedAt: integer("applied_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
