-- Before: f9df99e1bfe143df2212e53decf0047b59cc7d7b17982603f61b22e482a38073
-- Aborts if a visitor has moved what is not paid often enough, or a message of strangers finds its receiver's hour full.
CREATE TRIGGER refusal_strangers BEFORE INSERT ON refusal WHEN NEW.code IN ('too_many_moves', 'limit_reached') BEGIN
  SELECT CASE NEW.code
    WHEN 'too_many_moves' THEN RAISE(ABORT, 'too_many_moves')
    WHEN 'limit_reached' THEN RAISE(ABORT, 'limit_reached')
  END;
END;
