-- Leads, their submissions, and their sources.

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

-- One open lead for each e-mail address, or without one for the last digits of each phone number.
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

-- For finding a person.
CREATE INDEX leads_email ON leads (email_norm) WHERE email_norm IS NOT NULL;
CREATE INDEX leads_phone ON leads (phone_last9) WHERE phone_last9 IS NOT NULL;

-- Each submission as it was sent; an equal one within five minutes is only counted.
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
