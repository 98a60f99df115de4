import { availabilityRoutes } from "./availability/routes.ts";
import { bookingRoutes } from "./bookings/routes.ts";
import { courseRoutes } from "./courses/courses.ts";
import { fieldRoutes } from "./fields/fields.ts";
import { instructorRoutes } from "./instructors/routes.ts";
import { locationRoutes } from "./locations/locations.ts";
import { packageRoutes } from "./packages/list-by-customer.ts";
import { bookingSettingsRoutes } from "./settings/settings.ts";
import { startRoutes } from "./start/routes.ts";

/** What a booking page asks: without the staff's operations, which a cold start need not parse. */
export const schoolRouters = [
  startRoutes,
  locationRoutes,
  instructorRoutes,
  courseRoutes,
  availabilityRoutes,
  fieldRoutes,
  bookingSettingsRoutes,
  bookingRoutes,
  packageRoutes,
] as const;
