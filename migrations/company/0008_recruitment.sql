-- Departments, jobs and applications; leads, what was sent of each, and where they come from.
-- Units as in 0001; years of experience in 1/100. Files lie in a bucket: a path names one within its folder.

CREATE TRIGGER refusal_recruitment BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'department_gone' THEN RAISE(ABORT, 'department_gone')
    WHEN 'parent_below' THEN RAISE(ABORT, 'parent_below')
  END;
END;

CREATE TABLE recruitment_settings (
  id INTEGER PRIMARY KEY,
  retention_days INTEGER,
  CONSTRAINT one_row_of_recruitment_settings CHECK (id = 1)
) STRICT;

INSERT INTO recruitment_settings (id) VALUES (1);

CREATE TABLE departments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  parent_id INTEGER REFERENCES departments (id),
  is_active INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT department_flags CHECK (is_active IN (0, 1))
) STRICT;

CREATE INDEX departments_by_name ON departments (name COLLATE NOCASE, id) WHERE is_active = 1;
CREATE INDEX departments_parent ON departments (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  department_id INTEGER REFERENCES departments (id),
  employment_type TEXT NOT NULL,
  workplace_type TEXT NOT NULL,
  city TEXT,
  state TEXT,
  country TEXT,
  postal_code TEXT,
  description_html TEXT NOT NULL,
  description_text TEXT NOT NULL,
  requirements_html TEXT,
  skills TEXT NOT NULL,
  experience_min INTEGER,
  experience_max INTEGER,
  openings INTEGER NOT NULL,
  salary_min INTEGER,
  salary_max INTEGER,
  salary_currency TEXT NOT NULL,
  salary_interval TEXT NOT NULL,
  publish_salary INTEGER NOT NULL,
  status TEXT NOT NULL,
  is_published INTEGER NOT NULL,
  posted_at INTEGER NOT NULL,
  closes_at TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT job_status CHECK (status IN ('open', 'closed')),
  CONSTRAINT job_skills CHECK (json_valid(skills)),
  CONSTRAINT job_flags CHECK (publish_salary IN (0, 1) AND is_published IN (0, 1)),
  CONSTRAINT job_experience CHECK (experience_max >= experience_min),
  CONSTRAINT job_salary CHECK (salary_max >= salary_min)
) STRICT;

CREATE INDEX jobs_open ON jobs (posted_at, id) WHERE status = 'open' AND is_published = 1;
CREATE INDEX jobs_department ON jobs (department_id, posted_at, id) WHERE status = 'open' AND is_published = 1;
CREATE INDEX jobs_of_department ON jobs (department_id) WHERE department_id IS NOT NULL;

CREATE TABLE applications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  application_number TEXT NOT NULL UNIQUE,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  email_norm TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT,
  email TEXT NOT NULL,
  phone TEXT,
  cover_letter TEXT,
  total_experience INTEGER,
  expected_salary INTEGER,
  notice_period_days INTEGER,
  linkedin_url TEXT,
  skills TEXT NOT NULL,
  consent INTEGER,
  status TEXT NOT NULL,
  is_flagged INTEGER NOT NULL,
  visitor TEXT,
  resume_path TEXT NOT NULL UNIQUE,
  resume_name TEXT NOT NULL,
  resume_type TEXT NOT NULL,
  resume_size INTEGER NOT NULL,
  applied_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (job_id, email_norm),
  CONSTRAINT application_skills CHECK (json_valid(skills)),
  CONSTRAINT application_flags CHECK (is_flagged IN (0, 1) AND (consent IS NULL OR consent IN (0, 1)))
) STRICT;

CREATE INDEX applications_job ON applications (job_id, id);
CREATE INDEX applications_status ON applications (status, id);
CREATE INDEX applications_job_status ON applications (job_id, status, id);
CREATE INDEX applications_visitor ON applications (job_id, visitor, applied_at) WHERE visitor IS NOT NULL;
CREATE INDEX applications_applied_at ON applications (applied_at);

CREATE TABLE lead_settings (
  id INTEGER PRIMARY KEY,
  retention_days INTEGER,
  turnstile_secret TEXT,
  turnstile_hint TEXT,
  CONSTRAINT one_row_of_lead_settings CHECK (id = 1)
) STRICT;

INSERT INTO lead_settings (id) VALUES (1);

CREATE TABLE lead_sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT lead_source_flags CHECK (is_active IN (0, 1))
) STRICT;

INSERT INTO lead_sources (slug, name) VALUES
  ('website', 'Website'),
  ('landing_page', 'Landing page'),
  ('referral', 'Referral'),
  ('social_media', 'Social media'),
  ('search_ads', 'Search ads'),
  ('email_campaign', 'E-mail campaign'),
  ('phone', 'Phone'),
  ('walk_in', 'Walk-in'),
  ('event', 'Event'),
  ('partner', 'Partner'),
  ('marketplace', 'Marketplace'),
  ('other', 'Other');

-- One open lead for an e-mail address, or where there is none for the last digits of a phone number.
CREATE TABLE leads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lead_number TEXT NOT NULL UNIQUE,
  email_norm TEXT,
  phone_last9 TEXT,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  company_name TEXT,
  job_title TEXT,
  website TEXT,
  city TEXT,
  state TEXT,
  country TEXT,
  pincode TEXT,
  product_interest TEXT,
  budget INTEGER,
  submission_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_submitted_at INTEGER NOT NULL,
  closed_at INTEGER,
  updated_at INTEGER NOT NULL,
  CONSTRAINT lead_identity CHECK (email_norm IS NOT NULL OR phone_last9 IS NOT NULL),
  CONSTRAINT lead_status CHECK (status IN ('new', 'converted', 'lost')),
  CONSTRAINT lead_closing CHECK ((status = 'new') = (closed_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX leads_open_email ON leads (email_norm) WHERE status = 'new' AND email_norm IS NOT NULL;
CREATE UNIQUE INDEX leads_open_phone ON leads (phone_last9) WHERE status = 'new' AND email_norm IS NULL;
CREATE INDEX leads_status ON leads (status, id);
CREATE INDEX leads_source ON leads (source, id);
CREATE INDEX leads_status_source ON leads (status, source, id);
CREATE INDEX leads_last_submitted_at ON leads (last_submitted_at);

-- All that was sent, as it was sent; the same again within five minutes is only counted.
CREATE TABLE lead_submissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  lead_id INTEGER NOT NULL REFERENCES leads (id),
  content_hash TEXT NOT NULL,
  content TEXT NOT NULL,
  attachment_path TEXT UNIQUE,
  attachment_name TEXT,
  attachment_type TEXT,
  attachment_size INTEGER,
  submitted_at INTEGER NOT NULL,
  CONSTRAINT lead_submission_content CHECK (json_valid(content))
) STRICT;

CREATE INDEX lead_submissions_lead ON lead_submissions (lead_id, id);
CREATE INDEX lead_submissions_same ON lead_submissions (lead_id, content_hash, submitted_at);
