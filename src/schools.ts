import { packageRoutes } from "./features/bookings/packages/routes.ts";
import { reservationRoutes } from "./features/bookings/reservations/routes.ts";
import { bookingRoutes } from "./features/bookings/routes.ts";

/** What booking pages and their servers call. */
export const schoolRouters = [bookingRoutes, reservationRoutes, packageRoutes] as const;
