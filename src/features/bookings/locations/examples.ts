export const newLocationExample = {
  name: "Parramatta test centre",
  type: "test_centre",
  city: "Parramatta",
  state: "NSW",
  postcode: "2150",
  latitude: -33.815,
  longitude: 151.0011,
};
