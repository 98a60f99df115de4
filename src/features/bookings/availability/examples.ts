export const availabilityExample = {
  success: true as const,
  available: true,
  reason: null,
  message: null,
  slots: [
    { start: "09:00", end: "10:00" },
    { start: "11:00", end: "12:00" },
  ],
  date: "2026-12-01",
  timezone: "Australia/Sydney",
  duration_minutes: 60,
};

export const datesExample = {
  success: true as const,
  dates: [
    { date: "2026-12-01", available: true, first_start: "09:00" },
    { date: "2026-12-02", available: false, first_start: null },
  ],
  timezone: "Australia/Sydney",
};
