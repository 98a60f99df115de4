export const fieldExample = {
  key: "student_types",
  label: "Takes",
  type: "multiselect" as const,
  options: ["beginners", "overseas licences"],
};
export const fieldSettingsExample = {
  ...fieldExample,
  id: 1,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};
