import { bookingStaffRoutes } from "./bookings/staff-routes.ts";
import { diaryRoutes } from "./diary/routes.ts";
import { feedStaffRoutes } from "./feeds/staff-routes.ts";
import { fieldStaffRoutes } from "./fields/field-settings.ts";
import { instructorStaffRoutes } from "./instructors/staff-routes.ts";
import { locationStaffRoutes } from "./locations/location-settings.ts";
import { overrideStaffRoutes } from "./overrides/staff-routes.ts";
import { packageStaffRoutes } from "./packages/staff-routes.ts";
import { bookingSettingsStaffRoutes } from "./settings/staff-routes.ts";

/** What a school's staff set and see. */
export const schoolStaffRouters = [
  locationStaffRoutes,
  bookingSettingsStaffRoutes,
  instructorStaffRoutes,
  overrideStaffRoutes,
  fieldStaffRoutes,
  packageStaffRoutes,
  bookingStaffRoutes,
  feedStaffRoutes,
  diaryRoutes,
] as const;
