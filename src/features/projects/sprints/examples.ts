export const newSprintExample = {
  name: "Sprint 7",
  goal: "Pay by UPI",
  start_date: "2026-11-23",
  end_date: "2026-12-04",
};

export const sprintExample = {
  ...newSprintExample,
  id: 7,
  iteration_id: null,
  status: "planned" as const,
  started_at: null,
  completed_at: null,
  totals: { items: 0, completed: 0, points: 0, completed_points: 0 },
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const burndownExample = {
  sprint_id: 7,
  unit: "points" as const,
  days: [
    { date: "2026-11-23", remaining: 21, completed: 0, scope: 21, ideal: 21 },
    { date: "2026-11-24", remaining: 18, completed: 5, scope: 23, ideal: 10.5 },
    { date: "2026-11-25", remaining: null, completed: null, scope: null, ideal: 0 },
  ],
};
