-- Before: 861d7c17ea428141943334fd881943717d6b0c4ad8c3f071a6e8bb5e07e7b49c
CREATE INDEX leads_created ON leads (created_at);
