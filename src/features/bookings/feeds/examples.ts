const AT = "2026-11-21T09:30:00.000Z";

export const newFeedExample = { name: "Priya's lessons", instructor_id: 1, detail: "busy" as const };
export const feedExample = { id: "1", ...newFeedExample, created_at: AT, updated_at: AT };
export const issuedFeedExample = {
  ...feedExample,
  url: "https://api.example.com/cal/demo-school/Zm9yIHRoZSBkb2N1bWVudCBvbmx5OiAzMiBieXRlcyw.ics",
};
