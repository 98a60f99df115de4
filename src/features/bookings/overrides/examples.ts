export const newOverrideExample = { date: "2026-12-24", is_available: false, note: "Holiday" };
export const overrideExample = {
  ...newOverrideExample,
  id: 4,
  instructor_id: 1,
  start: null,
  end: null,
  created_at: "2026-11-21T09:30:00.000Z",
};
