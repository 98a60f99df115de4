const timestamps = { created_at: "2026-11-21T09:30:00.000Z", updated_at: "2026-11-21T09:30:00.000Z" };
const area = { suburb: "Strathfield", postcode: "2135", state: "NSW", radius_km: 12 };

export const newInstructorExample = {
  name: "Priya Raman",
  gender: "female",
  languages: ["English", "Tamil"],
  transmission: "both" as const,
  car_make: "Toyota",
  car_model: "Corolla",
  service_areas: [{ ...area, latitude: -33.8726, longitude: 151.0941 }],
  schedule: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "09:00", end: "17:00" })),
};
export const instructorSettingsExample = {
  ...newInstructorExample,
  ...timestamps,
  id: 2,
  nationality: null,
  bio: null,
  photo_url: null,
  location_ids: [],
  custom_fields: {},
  is_active: true,
};

export const newOverrideExample = { date: "2026-12-24", is_available: false, note: "Holiday" };
export const overrideExample = {
  ...newOverrideExample,
  id: 4,
  instructor_id: 2,
  start: null,
  end: null,
  created_at: timestamps.created_at,
};
