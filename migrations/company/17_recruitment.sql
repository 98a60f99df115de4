-- Departments, jobs and applications. Years of experience in 1/100. Files are in a bucket: a path names one in its folder.

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

-- For finding a person.
CREATE INDEX applications_email ON applications (email_norm);
CREATE INDEX applications_phone ON applications (
  substr(replace(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '.', ''), '(', ''), ')', ''), '/', ''), -9)
) WHERE phone IS NOT NULL;

-- Aborts with the codes of recruitment.
CREATE TRIGGER refusal_recruitment BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'department_gone' THEN RAISE(ABORT, 'department_gone')
    WHEN 'parent_below' THEN RAISE(ABORT, 'parent_below')
  END;
END;
