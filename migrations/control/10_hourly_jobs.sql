-- A company at rest has its hourly jobs once a day (companies.next_sweep_at). Each sign that it works brings the next
-- run forward to an hour after the sign.

CREATE TRIGGER company_update_brings_hourly_jobs AFTER UPDATE OF updated_at ON companies
WHEN NEW.next_sweep_at > NEW.updated_at + 3600000 BEGIN
  UPDATE companies SET next_sweep_at = NEW.updated_at + 3600000 WHERE id = NEW.id;
END;

-- A write moves the head. Its time is of the company's clock.
CREATE TRIGGER audit_head_insert_brings_hourly_jobs AFTER INSERT ON audit_heads BEGIN
  UPDATE companies SET next_sweep_at = NEW.chained_at - clock_offset_ms + 3600000
  WHERE id = NEW.company_id AND next_sweep_at > NEW.chained_at - clock_offset_ms + 3600000;
END;

CREATE TRIGGER audit_head_update_brings_hourly_jobs AFTER UPDATE ON audit_heads BEGIN
  UPDATE companies SET next_sweep_at = NEW.chained_at - clock_offset_ms + 3600000
  WHERE id = NEW.company_id AND next_sweep_at > NEW.chained_at - clock_offset_ms + 3600000;
END;

CREATE TRIGGER key_insert_brings_hourly_jobs AFTER INSERT ON api_keys BEGIN
  UPDATE companies SET next_sweep_at = NEW.updated_at + 3600000
  WHERE id = NEW.company_id AND next_sweep_at > NEW.updated_at + 3600000;
END;

CREATE TRIGGER key_update_brings_hourly_jobs AFTER UPDATE OF updated_at ON api_keys BEGIN
  UPDATE companies SET next_sweep_at = NEW.updated_at + 3600000
  WHERE id = NEW.company_id AND next_sweep_at > NEW.updated_at + 3600000;
END;

CREATE TRIGGER key_use_brings_hourly_jobs AFTER UPDATE OF last_used_at ON api_keys BEGIN
  UPDATE companies SET next_sweep_at = NEW.last_used_at + 3600000
  WHERE id = NEW.company_id AND next_sweep_at > NEW.last_used_at + 3600000;
END;
