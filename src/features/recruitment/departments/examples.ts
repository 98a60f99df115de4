export const departmentExample = { id: 2, name: "After-sales", parent_id: null, open_jobs_count: 1 };

export const departmentSettingsExample = {
  id: 2,
  name: "After-sales",
  parent_id: null,
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};
