export const instructorExample = {
  id: 2,
  name: "Priya Raman",
  gender: "female",
  languages: ["English", "Tamil"],
  transmission: "both" as const,
  bio: "Patient with nervous beginners.",
  photo_url: null,
  service_areas: [{ suburb: "Strathfield", postcode: "2135", state: "NSW", radius_km: 12 }],
};

const timestamps = { created_at: "2026-11-21T09:30:00.000Z", updated_at: "2026-11-21T09:30:00.000Z" };
const area = { suburb: "Strathfield", postcode: "2135", state: "NSW", radius_km: 12 };

export const newInstructorExample = {
  name: "Priya Raman",
  email: "priya@school.example",
  phone: "+61 412 345 678",
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
