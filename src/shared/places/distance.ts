const EARTH_RADIUS_KM = 6371.0088;

/** A place on earth in degrees. */
export type Point = { latitude: number; longitude: number };

/** The great-circle distance of two places in kilometres (haversine). */
export function distanceKm(one: Point, other: Point): number {
  const latitude = radians(other.latitude - one.latitude);
  const longitude = radians(other.longitude - one.longitude);
  const chord =
    Math.sin(latitude / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(longitude / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
