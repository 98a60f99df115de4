export const newLocationExample = {
  name: "Parramatta test centre",
  type: "test_centre",
  city: "Parramatta",
  state: "NSW",
  postcode: "2150",
  latitude: -33.815,
  longitude: 151.0011,
};
export const locationExample = {
  ...newLocationExample,
  id: 3,
  operating_hours: null,
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};
