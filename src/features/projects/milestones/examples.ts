export const milestoneExample = {
  id: 2,
  name: "Payments go live",
  description: null,
  start_date: null,
  due_date: "2026-12-04",
  status: "pending" as const,
  completed_date: null,
  is_overdue: false,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};
