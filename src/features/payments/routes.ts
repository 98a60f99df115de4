import { paymentMethodRoutes } from "./modes/modes.ts";
import { paymentListRoutes, paymentRoutes } from "./payments/routes.ts";

/** The methods come before what takes an id, for their path would be read as one. */
export const paymentRouters = [paymentListRoutes, paymentMethodRoutes, paymentRoutes] as const;
