import { fieldStaffRoutes } from "./fields/staff-routes.ts";
import { instructorStaffRoutes } from "./instructors/staff-routes.ts";
import { locationStaffRoutes } from "./locations/staff-routes.ts";
import { overrideStaffRoutes } from "./overrides/staff-routes.ts";
import { packageStaffRoutes } from "./packages/staff-routes.ts";
import { reservationStaffRoutes } from "./reservations/staff-routes.ts";
import { ruleStaffRoutes } from "./rules/staff-routes.ts";

/** What a school's staff set and see. */
export const schoolStaffRouters = [
  locationStaffRoutes,
  ruleStaffRoutes,
  instructorStaffRoutes,
  overrideStaffRoutes,
  fieldStaffRoutes,
  packageStaffRoutes,
  reservationStaffRoutes,
] as const;
