import { bookingStaffRoutes } from "./bookings/staff-routes.ts";
import { diaryRoutes } from "./diary/routes.ts";
import { feedStaffRoutes } from "./feeds/feeds.ts";
import { fieldStaffRoutes } from "./fields/field-settings.ts";
import { instructorStaffRoutes } from "./instructors/instructors.ts";
import { locationStaffRoutes } from "./locations/location-settings.ts";
import { overrideStaffRoutes } from "./overrides/overrides.ts";
import { packageStaffRoutes } from "./packages/packages.ts";
import { bookingSettingsStaffRoutes } from "./settings/staff-settings.ts";

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
