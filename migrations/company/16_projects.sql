-- Projects with their work items, iterations, areas, milestones and sprints. Points and hours in 1/1,000.

CREATE TABLE work_item_statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  category TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_default INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT status_category CHECK (category IN ('proposed', 'in_progress', 'resolved', 'completed', 'removed')),
  CONSTRAINT status_flags CHECK (is_default IN (0, 1))
) STRICT;

CREATE INDEX work_item_statuses_by_position ON work_item_statuses (position, id);
CREATE UNIQUE INDEX work_item_statuses_default ON work_item_statuses (is_default) WHERE is_default = 1;

INSERT INTO work_item_statuses (slug, name, category, position, is_default, created_at, updated_at)
SELECT column1, column2, column3, column4, column1 = 'new', applied_at, applied_at
FROM (VALUES
  ('new', 'New', 'proposed', 1), ('on_hold', 'On hold', 'proposed', 2), ('in_progress', 'In progress', 'in_progress', 3),
  ('in_qa', 'In QA', 'in_progress', 4), ('resolved', 'Resolved', 'resolved', 5), ('done', 'Done', 'completed', 6),
  ('cancelled', 'Cancelled', 'removed', 7)
), (SELECT max(applied_at) AS applied_at FROM migrations);

-- A status in use keeps its category, which decides what is open and what is done.
CREATE TRIGGER status_category_is_fixed BEFORE UPDATE OF category ON work_item_statuses
WHEN NEW.category <> OLD.category AND EXISTS (SELECT 1 FROM work_items WHERE status = OLD.slug) BEGIN
  SELECT RAISE(ABORT, 'in_use');
END;

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  code TEXT NOT NULL UNIQUE,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  last_number INTEGER NOT NULL DEFAULT 0,
  open_items INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT project_status CHECK (status IN ('active', 'archived'))
) STRICT;

-- References that clients already have begin with the code.
CREATE TRIGGER project_code_is_fixed BEFORE UPDATE OF code ON projects
WHEN NEW.code <> OLD.code AND OLD.last_number > 0 BEGIN
  SELECT RAISE(ABORT, 'code_is_fixed');
END;

CREATE TABLE iterations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  parent_id INTEGER,
  name TEXT NOT NULL,
  type TEXT,
  start_date TEXT,
  end_date TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (project_id, parent_id) REFERENCES iterations (project_id, id),
  CONSTRAINT iteration_type CHECK (type IN ('release', 'sprint', 'week')),
  CONSTRAINT dates_out_of_order CHECK (end_date >= start_date)
) STRICT;

CREATE UNIQUE INDEX iterations_project ON iterations (project_id, id);
CREATE UNIQUE INDEX iterations_sibling ON iterations (project_id, coalesce(parent_id, 0), name COLLATE NOCASE);
CREATE INDEX iterations_parent ON iterations (project_id, parent_id, id) WHERE parent_id IS NOT NULL;

CREATE TABLE areas (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  parent_id INTEGER,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (project_id, parent_id) REFERENCES areas (project_id, id)
) STRICT;

CREATE UNIQUE INDEX areas_project ON areas (project_id, id);
CREATE UNIQUE INDEX areas_sibling ON areas (project_id, coalesce(parent_id, 0), name COLLATE NOCASE);
CREATE INDEX areas_parent ON areas (project_id, parent_id, id) WHERE parent_id IS NOT NULL;

CREATE TABLE milestones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  description TEXT,
  start_date TEXT,
  due_date TEXT,
  status TEXT NOT NULL,
  completed_date TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CONSTRAINT milestone_status CHECK (status IN ('pending', 'in_progress', 'completed', 'overdue')),
  CONSTRAINT completed_date_without_completed CHECK (completed_date IS NULL OR status = 'completed'),
  CONSTRAINT dates_out_of_order CHECK (due_date >= start_date)
) STRICT;

-- Those without a due date come last.
CREATE INDEX milestones_by_due_date ON milestones (project_id, coalesce(due_date, '9999-12-31'), id);

CREATE TABLE sprints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  goal TEXT,
  iteration_id INTEGER,
  status TEXT NOT NULL DEFAULT 'planned',
  start_date TEXT,
  end_date TEXT,
  started_at INTEGER,
  completed_at INTEGER,
  items INTEGER NOT NULL DEFAULT 0,
  completed_items INTEGER NOT NULL DEFAULT 0,
  points INTEGER NOT NULL DEFAULT 0,
  completed_points INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (project_id, iteration_id) REFERENCES iterations (project_id, id),
  CONSTRAINT sprint_status CHECK (status IN ('planned', 'active', 'completed')),
  CONSTRAINT dates_out_of_order CHECK (end_date >= start_date),
  CONSTRAINT sprint_dates_missing CHECK (status = 'planned' OR (start_date IS NOT NULL AND end_date IS NOT NULL)),
  CONSTRAINT sprint_too_long CHECK (julianday(end_date) - julianday(start_date) <= 365)
) STRICT;

CREATE UNIQUE INDEX sprints_project ON sprints (project_id, id);
CREATE UNIQUE INDEX sprints_active ON sprints (project_id) WHERE status = 'active';

-- A completed sprint keeps its dates.
CREATE TRIGGER completed_sprint_is_fixed BEFORE UPDATE OF start_date, end_date, iteration_id, status ON sprints
WHEN OLD.status = 'completed' BEGIN
  SELECT RAISE(ABORT, 'sprint_completed');
END;

CREATE TABLE work_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  number INTEGER NOT NULL,
  reference TEXT NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  priority TEXT NOT NULL,
  severity TEXT,
  state TEXT NOT NULL,
  state_category TEXT NOT NULL,
  status TEXT REFERENCES work_item_statuses (slug),
  assigned_to INTEGER REFERENCES employees (id),
  parent_id INTEGER,
  iteration_id INTEGER,
  sprint_id INTEGER,
  area_id INTEGER,
  story_points INTEGER,
  estimated_hours INTEGER,
  remaining_hours INTEGER,
  start_date TEXT,
  due_date TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  as_a TEXT,
  i_want TEXT,
  so_that TEXT,
  acceptance_criteria TEXT,
  repro_steps TEXT,
  created_by_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  state_changed_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  FOREIGN KEY (project_id, parent_id) REFERENCES work_items (project_id, id),
  FOREIGN KEY (project_id, iteration_id) REFERENCES iterations (project_id, id),
  FOREIGN KEY (project_id, sprint_id) REFERENCES sprints (project_id, id),
  FOREIGN KEY (project_id, area_id) REFERENCES areas (project_id, id),
  CONSTRAINT work_item_type CHECK (
    type IN ('epic', 'feature', 'user_story', 'task', 'bug', 'issue', 'test_case')
  ),
  CONSTRAINT work_item_priority CHECK (priority IN ('critical', 'high', 'medium', 'low')),
  CONSTRAINT work_item_severity CHECK (severity IN ('critical', 'high', 'medium', 'low')),
  CONSTRAINT work_item_state_category CHECK (
    state_category IN ('proposed', 'in_progress', 'resolved', 'completed', 'removed')
  ),
  CONSTRAINT work_item_finish CHECK ((state_category = 'completed') = (finished_at IS NOT NULL)),
  CONSTRAINT work_item_tags CHECK (json_valid(tags)),
  CONSTRAINT dates_out_of_order CHECK (due_date >= start_date)
) STRICT;

CREATE UNIQUE INDEX work_items_number ON work_items (project_id, number);
CREATE UNIQUE INDEX work_items_project ON work_items (project_id, id);
CREATE INDEX work_items_open ON work_items (project_id, id) WHERE state_category NOT IN ('completed', 'removed');
CREATE INDEX work_items_type ON work_items (project_id, type, id);
CREATE INDEX work_items_state_category ON work_items (project_id, state_category, id);
CREATE INDEX work_items_status ON work_items (project_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX work_items_assignee ON work_items (project_id, assigned_to, id) WHERE assigned_to IS NOT NULL;
CREATE INDEX work_items_parent ON work_items (project_id, parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX work_items_iteration ON work_items (project_id, iteration_id, id) WHERE iteration_id IS NOT NULL;
CREATE INDEX work_items_sprint ON work_items (project_id, sprint_id, id) WHERE sprint_id IS NOT NULL;
CREATE INDEX work_items_area ON work_items (project_id, area_id, id) WHERE area_id IS NOT NULL;
CREATE INDEX work_items_updated ON work_items (project_id, updated_at, id);

-- For finding whether any item has a status or an employee, in all projects.
CREATE INDEX work_items_any_status ON work_items (status) WHERE status IS NOT NULL;
CREATE INDEX work_items_any_assignee ON work_items (assigned_to) WHERE assigned_to IS NOT NULL;

-- No work item is deleted.
CREATE TRIGGER work_item_is_not_deleted BEFORE DELETE ON work_items BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The search finds a new work item.
CREATE TRIGGER work_items_search_insert AFTER INSERT ON work_items BEGIN
  INSERT INTO work_items_search (rowid, project, reference, title)
  VALUES (NEW.id, '#' || NEW.project_id || '#', NEW.reference, NEW.title);
END;

-- The search finds a work item by its new title.
CREATE TRIGGER work_items_search_update AFTER UPDATE OF title ON work_items WHEN NEW.title <> OLD.title BEGIN
  DELETE FROM work_items_search WHERE rowid = OLD.id;
  INSERT INTO work_items_search (rowid, project, reference, title)
  VALUES (NEW.id, '#' || NEW.project_id || '#', NEW.reference, NEW.title);
END;

-- A project counts its open items.
CREATE TRIGGER open_items_insert AFTER INSERT ON work_items
WHEN NEW.state_category NOT IN ('completed', 'removed') BEGIN
  UPDATE projects SET open_items = open_items + 1 WHERE id = NEW.project_id;
END;

-- The same after each change of state.
CREATE TRIGGER open_items_update AFTER UPDATE OF state_category ON work_items
WHEN (NEW.state_category IN ('completed', 'removed')) <> (OLD.state_category IN ('completed', 'removed')) BEGIN
  UPDATE projects SET open_items = open_items + iif(NEW.state_category IN ('completed', 'removed'), -1, 1)
  WHERE id = NEW.project_id;
END;

-- A new item of a sprint is added to its scope.
CREATE TRIGGER sprint_scope_insert AFTER INSERT ON work_items
WHEN NEW.sprint_id IS NOT NULL AND NEW.state_category <> 'removed' BEGIN
  INSERT INTO sprint_scope_log (sprint_id, work_item_id, at, items, completed_items, points, completed_points)
  VALUES (
    NEW.sprint_id, NEW.id, NEW.created_at, 1, NEW.state_category = 'completed',
    coalesce(NEW.story_points, 0), (NEW.state_category = 'completed') * coalesce(NEW.story_points, 0)
  );
END;

-- Each change of an item is recorded in its sprint's scope; a completed sprint takes no more.
CREATE TRIGGER sprint_scope_update AFTER UPDATE OF sprint_id, story_points, state_category ON work_items
WHEN coalesce(OLD.sprint_id, NEW.sprint_id) IS NOT NULL BEGIN
  INSERT INTO sprint_scope_log (sprint_id, work_item_id, at, items, completed_items, points, completed_points)
  SELECT sprint_id, NEW.id, NEW.updated_at,
    sum(scope), sum(done), sum(scope * story_points), sum(done * story_points)
  FROM (
    SELECT OLD.sprint_id AS sprint_id, coalesce(OLD.story_points, 0) AS story_points,
      -(OLD.state_category <> 'removed') AS scope, -(OLD.state_category = 'completed') AS done
    UNION ALL
    SELECT NEW.sprint_id, coalesce(NEW.story_points, 0), NEW.state_category <> 'removed', NEW.state_category = 'completed'
  )
  WHERE EXISTS (SELECT 1 FROM sprints WHERE sprints.id = sprint_id AND sprints.status <> 'completed')
  GROUP BY sprint_id
  HAVING sum(scope) <> 0 OR sum(done) <> 0 OR sum(scope * story_points) <> 0 OR sum(done * story_points) <> 0;
END;

-- `project` holds #id#, so that a search covers the items of one project only.
CREATE VIRTUAL TABLE work_items_search USING fts5 (
  project, reference, title, content = '', contentless_delete = 1, tokenize = 'trigram'
);

CREATE TABLE work_item_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL UNIQUE,
  work_item_id INTEGER NOT NULL REFERENCES work_items (id),
  body TEXT NOT NULL,
  author TEXT NOT NULL,
  is_internal INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  CONSTRAINT comment_flags CHECK (is_internal IN (0, 1))
) STRICT;

CREATE INDEX work_item_comments_public ON work_item_comments (work_item_id, id) WHERE is_internal = 0;

CREATE TABLE status_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  work_item_id INTEGER NOT NULL REFERENCES work_items (id),
  from_state TEXT NOT NULL,
  from_category TEXT NOT NULL,
  to_state TEXT NOT NULL,
  to_category TEXT NOT NULL,
  status TEXT,
  changed_at INTEGER NOT NULL,
  duration_seconds INTEGER NOT NULL,
  comment_id INTEGER REFERENCES work_item_comments (id),
  key_name TEXT NOT NULL,
  CONSTRAINT history_duration CHECK (duration_seconds >= 0)
) STRICT;

CREATE INDEX status_history_item ON status_history (work_item_id, id);

-- The history never changes.
CREATE TRIGGER status_history_is_append_only_update BEFORE UPDATE ON status_history BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No row of the history is deleted.
CREATE TRIGGER status_history_is_append_only_delete BEFORE DELETE ON status_history BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- The effect of each change of an item on its sprint: added to or taken from its scope, or done in it. A completed
-- sprint takes no more, so its chart stays as it ended.
CREATE TABLE sprint_scope_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sprint_id INTEGER NOT NULL REFERENCES sprints (id),
  work_item_id INTEGER NOT NULL REFERENCES work_items (id),
  at INTEGER NOT NULL,
  items INTEGER NOT NULL,
  completed_items INTEGER NOT NULL,
  points INTEGER NOT NULL,
  completed_points INTEGER NOT NULL
) STRICT;

CREATE INDEX sprint_scope_log_sprint ON sprint_scope_log (sprint_id, at);

-- A sprint's totals are the sums of its log.
CREATE TRIGGER sprint_totals_follow_the_log AFTER INSERT ON sprint_scope_log BEGIN
  UPDATE sprints SET items = items + NEW.items, completed_items = completed_items + NEW.completed_items,
    points = points + NEW.points, completed_points = completed_points + NEW.completed_points
  WHERE id = NEW.sprint_id;
END;

-- A row of the scope never changes.
CREATE TRIGGER sprint_scope_log_is_append_only_update BEFORE UPDATE ON sprint_scope_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- No row of the scope is deleted.
CREATE TRIGGER sprint_scope_log_is_append_only_delete BEFORE DELETE ON sprint_scope_log BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- Aborts with the codes of projects.
CREATE TRIGGER refusal_projects BEFORE INSERT ON refusal BEGIN
  SELECT CASE NEW.code
    WHEN 'unknown_state' THEN RAISE(ABORT, 'unknown_state')
    WHEN 'version_conflict' THEN RAISE(ABORT, 'version_conflict')
    WHEN 'cycle' THEN RAISE(ABORT, 'cycle')
    WHEN 'too_deep' THEN RAISE(ABORT, 'too_deep')
    WHEN 'parent_not_in_project' THEN RAISE(ABORT, 'parent_not_in_project')
    WHEN 'assignee_unknown' THEN RAISE(ABORT, 'assignee_unknown')
    WHEN 'iteration_not_in_project' THEN RAISE(ABORT, 'iteration_not_in_project')
    WHEN 'area_not_in_project' THEN RAISE(ABORT, 'area_not_in_project')
    WHEN 'sprint_not_open' THEN RAISE(ABORT, 'sprint_not_open')
    WHEN 'sprint_not_planned' THEN RAISE(ABORT, 'sprint_not_planned')
    WHEN 'sprint_not_active' THEN RAISE(ABORT, 'sprint_not_active')
  END;
END;

-- Aborts for an archived project.
CREATE TRIGGER refusal_project_archived BEFORE INSERT ON refusal WHEN NEW.code = 'project_archived' BEGIN
  SELECT RAISE(ABORT, 'project_archived');
END;
