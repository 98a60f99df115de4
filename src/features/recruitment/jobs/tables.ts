import { integer, text } from "drizzle-orm/sqlite-core";
import { recordTable } from "#core/sql/record-table.ts";

export const jobs = recordTable("jobs", {
  slug: text("slug").notNull(),
  title: text("title").notNull(),
  departmentId: integer("department_id"),
  employmentType: text("employment_type").notNull(),
  workplaceType: text("workplace_type").$type<"on_site" | "remote" | "hybrid">().notNull(),
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
  salaryInterval: text("salary_interval").$type<"hour" | "month" | "year">().notNull(),
  publishSalary: integer("publish_salary").notNull(),
  status: text("status").$type<"open" | "closed">().notNull(),
  isPublished: integer("is_published").notNull(),
  postedAt: integer("posted_at").notNull(),
  /** The last day, `YYYY-MM-DD`. */
  closesAt: text("closes_at"),
});
